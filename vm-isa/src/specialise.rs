//! Frequent combinations of instruction and operands get codes of their own.
//!
//! Law: a specialised op means what the general one means; the tests of `steam-vm` run both.

use crate::op::{Code, Op, Operand, Width};

/// The forms of a two-operand instruction that special codes exist for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    RegisterRegister,
    RegisterImmediate,
    RegisterMemory,
    MemoryRegister,
    MemoryImmediate,
}

fn form(op: &Op) -> Option<Form> {
    let memory_is_plain = op.plain_address();
    Some(match (op.d, op.s) {
        (0..=7, 0..=7) => Form::RegisterRegister,
        (0..=7, Operand::IMMEDIATE) => Form::RegisterImmediate,
        (0..=7, Operand::MEMORY) if memory_is_plain => Form::RegisterMemory,
        (Operand::MEMORY, 0..=7) if memory_is_plain => Form::MemoryRegister,
        (Operand::MEMORY, Operand::IMMEDIATE) if memory_is_plain => Form::MemoryImmediate,
        _ => return None,
    })
}

/// The same op with a special code, where there is one.
pub fn specialise(op: Op) -> Op {
    if op.locked() {
        return op;
    }
    let code = match op.width {
        Width::LONG => two_operands(&op).or_else(|| others(&op)),
        Width::BYTE => bytes(&op),
        _ => None,
    };
    Op { code: code.unwrap_or(op.code), ..op }
}

fn two_operands(op: &Op) -> Option<Code> {
    use Form as F;
    let form = form(op)?;
    Some(match (op.code, form) {
        (Code::Mov, F::RegisterRegister) => Code::MovRR,
        (Code::Mov, F::RegisterImmediate) => Code::MovRI,
        (Code::Mov, F::RegisterMemory) => Code::MovRM,
        (Code::Mov, F::MemoryRegister) => Code::MovMR,
        (Code::Mov, F::MemoryImmediate) => Code::MovMI,
        (Code::Add, F::RegisterRegister) => Code::AddRR,
        (Code::Add, F::RegisterImmediate) => Code::AddRI,
        (Code::Add, F::RegisterMemory) => Code::AddRM,
        (Code::Add, F::MemoryRegister) => Code::AddMR,
        (Code::Add, F::MemoryImmediate) => Code::AddMI,
        (Code::Sub, F::RegisterRegister) => Code::SubRR,
        (Code::Sub, F::RegisterImmediate) => Code::SubRI,
        (Code::Sub, F::RegisterMemory) => Code::SubRM,
        (Code::Sub, F::MemoryRegister) => Code::SubMR,
        (Code::Sub, F::MemoryImmediate) => Code::SubMI,
        (Code::And, F::RegisterRegister) => Code::AndRR,
        (Code::And, F::RegisterImmediate) => Code::AndRI,
        (Code::And, F::RegisterMemory) => Code::AndRM,
        (Code::Or, F::RegisterRegister) => Code::OrRR,
        (Code::Or, F::RegisterImmediate) => Code::OrRI,
        (Code::Or, F::RegisterMemory) => Code::OrRM,
        (Code::Xor, F::RegisterRegister) => Code::XorRR,
        (Code::Xor, F::RegisterImmediate) => Code::XorRI,
        (Code::Xor, F::RegisterMemory) => Code::XorRM,
        (Code::Adc, F::RegisterRegister) => Code::AdcRR,
        (Code::Adc, F::RegisterImmediate) => Code::AdcRI,
        (Code::Sbb, F::RegisterRegister) => Code::SbbRR,
        (Code::Cmp, F::RegisterRegister) => Code::CmpRR,
        (Code::Cmp, F::RegisterImmediate) => Code::CmpRI,
        (Code::Cmp, F::RegisterMemory) => Code::CmpRM,
        (Code::Cmp, F::MemoryRegister) => Code::CmpMR,
        (Code::Cmp, F::MemoryImmediate) => Code::CmpMI,
        (Code::Test, F::RegisterRegister) => Code::TestRR,
        (Code::Test, F::RegisterImmediate) => Code::TestRI,
        (Code::Shl, F::RegisterImmediate) if op.imm & 31 != 0 => Code::ShlRI,
        (Code::Shr, F::RegisterImmediate) if op.imm & 31 != 0 => Code::ShrRI,
        (Code::Sar, F::RegisterImmediate) if op.imm & 31 != 0 => Code::SarRI,
        (Code::Rol, F::RegisterImmediate) if op.imm & 31 != 0 => Code::RolRI,
        (Code::Lea, F::RegisterMemory) => Code::LeaPlain,
        (Code::ImulInto, F::RegisterRegister) if op.three_operands() => Code::ImulRRI,
        (Code::ImulInto, F::RegisterRegister) => Code::ImulRR,
        (Code::ImulInto, F::RegisterMemory) if !op.three_operands() => Code::ImulRM,
        // `imm` is the width of the source.
        (Code::Movzx, F::RegisterRegister) if op.imm == 1 => Code::MovzxRR8,
        (Code::Movzx, F::RegisterMemory) if op.imm == 1 => Code::MovzxRM8,
        (Code::Movzx, F::RegisterMemory) if op.imm == 2 => Code::MovzxRM16,
        (Code::Movsx, F::RegisterMemory) if op.imm == 1 => Code::MovsxRM8,
        (Code::Movsx, F::RegisterMemory) if op.imm == 2 => Code::MovsxRM16,
        _ => return None,
    })
}

fn others(op: &Op) -> Option<Code> {
    Some(match (op.code, op.d, op.s) {
        (Code::Inc, 0..=7, _) => Code::IncR,
        (Code::Dec, 0..=7, _) => Code::DecR,
        (Code::Push, _, 0..=7) => Code::PushR,
        (Code::Push, _, Operand::IMMEDIATE) => Code::PushI,
        (Code::Push, _, Operand::MEMORY) if op.plain_address() => Code::PushM,
        (Code::Pop, 0..=7, _) => Code::PopR,
        (Code::Leave, ..) => Code::Leave32,
        _ => return None,
    })
}

fn bytes(op: &Op) -> Option<Code> {
    use Form as F;
    Some(match (op.code, form(op)?) {
        (Code::Mov, F::RegisterMemory) => Code::MovRM8,
        (Code::Mov, F::MemoryRegister) => Code::MovMR8,
        (Code::Mov, F::MemoryImmediate) => Code::MovMI8,
        (Code::Cmp, F::MemoryImmediate) => Code::CmpMI8,
        (Code::Cmp, F::RegisterImmediate) => Code::CmpRI8,
        (Code::Test, F::RegisterRegister) => Code::TestRR8,
        (Code::Test, F::RegisterImmediate) => Code::TestRI8,
        _ => return None,
    })
}
