//! The op: one decoded instruction in 16 bytes, and the one table of all ops.
//!
//! The table makes the enum [`Code`], the names that the printer uses, the [`Visitor`] trait and the
//! dispatch in [`execute`]: an op that is in the table and not in the CPU does not compile.
//!
//! There are two kinds of codes. A *general* code works with operands of any width and form, which
//! it reads from the op. A *special* code is a frequent combination (`MovRM`: 32-bit load) with its
//! operands known; [`crate::specialise()`] turns general ops into special ones of the same meaning.

/// One decoded instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct Op {
    /// What to do.
    pub code: Code,
    /// The destination: a register's number, or [`Operand::MEMORY`], or [`Operand::NONE`].
    pub d: u8,
    /// The source, likewise, or [`Operand::IMMEDIATE`].
    pub s: u8,
    /// The memory operand's base register; 8 is none.
    pub base: u8,
    /// The memory operand's index register; 8 is none.
    pub index: u8,
    /// Bits 0 and 1: the index's scale. Bits 2 and 3: the segment. Bit 4: 16-bit addressing.
    /// Bit 6: the immediate is a third operand.
    pub addressing: u8,
    /// Low bits: the operand width in bytes. Bit 7: a `lock` prefix.
    pub width: u8,
    /// The memory operand's displacement; for branches the target's place in the code cache.
    pub disp: u32,
    /// An immediate operand, a branch target, or what the code says.
    pub imm: u32,
}

/// Operand numbers beside the registers 0 to 7.
pub struct Operand;

impl Operand {
    /// The memory operand.
    pub const MEMORY: u8 = 8;
    /// The immediate operand.
    pub const IMMEDIATE: u8 = 9;
    /// No operand.
    pub const NONE: u8 = 10;
}

/// Operand widths in bytes.
pub struct Width;

impl Width {
    /// 8 bits
    pub const BYTE: u8 = 1;
    /// 16 bits
    pub const WORD: u8 = 2;
    /// 32 bits
    pub const LONG: u8 = 4;
}

/// The segment whose base is added to an address; all others have base 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Segment {
    /// A flat segment.
    Flat = 0,
    /// fs
    Fs = 1,
    /// gs
    Gs = 2,
}

/// How often a string instruction is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Repeat {
    /// Once.
    Once = 0,
    /// ecx times, for comparing ones while equal.
    WhileEqual = 1,
    /// ecx times, for comparing ones while not equal.
    WhileNotEqual = 2,
}

/// No branch target is known yet in the code cache.
const UNLINKED: u32 = u32::MAX;
const LOCK: u8 = 0x80;
const SHORT_ADDRESS: u8 = 0x10;

impl Op {
    pub(crate) const THREE_OPERANDS: u8 = 0x40;

    /// An op without operands.
    pub const fn new(code: Code) -> Self {
        Self {
            code,
            d: Operand::NONE,
            s: Operand::NONE,
            base: 8,
            index: 8,
            addressing: 0,
            width: Width::LONG,
            disp: 0,
            imm: 0,
        }
    }

    /// A branch to an address.
    pub const fn branch(code: Code, target: u32) -> Self {
        let mut op = Self::new(code);
        op.imm = target;
        op.disp = UNLINKED;
        op
    }

    /// The operand width in bits.
    #[inline(always)]
    pub fn bits(&self) -> u32 {
        u32::from(self.width & 7) * 8
    }

    /// The operand width in bytes.
    #[inline(always)]
    pub fn bytes(&self) -> u32 {
        u32::from(self.width & 7)
    }

    /// Whether the instruction has a `lock` prefix.
    pub fn locked(&self) -> bool {
        self.width & LOCK != 0
    }

    /// Whether it is an `xchg` with memory, which needs no prefix to lock the bus.
    pub fn exchanges_memory(&self) -> bool {
        self.code == Code::Xchg && (self.d == Operand::MEMORY || self.s == Operand::MEMORY)
    }

    /// Gives the op a `lock` prefix.
    pub(crate) fn set_locked(&mut self) {
        self.width |= LOCK;
    }

    /// The scale of the index register, as a shift.
    #[inline(always)]
    pub fn scale(&self) -> u32 {
        u32::from(self.addressing & 3)
    }

    /// The memory operand's segment.
    #[inline(always)]
    pub fn segment(&self) -> Segment {
        match self.addressing >> 2 & 3 {
            1 => Segment::Fs,
            2 => Segment::Gs,
            _ => Segment::Flat,
        }
    }

    /// Whether addresses wrap at 64 KiB.
    #[inline(always)]
    pub fn short_address(&self) -> bool {
        self.addressing & SHORT_ADDRESS != 0
    }

    /// Whether the immediate is a third operand beside `d` and `s`.
    #[inline(always)]
    pub fn three_operands(&self) -> bool {
        self.addressing & Self::THREE_OPERANDS != 0
    }

    /// Whether the address is base + index·scale + displacement and no more.
    pub fn plain_address(&self) -> bool {
        self.addressing & !(3 | Self::THREE_OPERANDS) == 0
    }

    pub(crate) fn set_addressing(&mut self, scale: u8, segment: Segment, short: bool) {
        self.addressing = scale | (segment as u8) << 2 | if short { SHORT_ADDRESS } else { 0 };
    }

    /// The repetition of a string instruction.
    #[inline(always)]
    pub fn repeat(&self) -> Repeat {
        match self.imm {
            1 => Repeat::WhileEqual,
            2 => Repeat::WhileNotEqual,
            _ => Repeat::Once,
        }
    }

    /// Where a branch goes in the code cache, once that is known.
    #[inline(always)]
    pub fn link(&self) -> Option<usize> {
        (self.disp != UNLINKED).then_some(self.disp as usize)
    }

    /// Whether either operand is in memory.
    pub fn has_memory(&self) -> bool {
        self.d == Operand::MEMORY || self.s == Operand::MEMORY
    }
}

/// The conditions of jumps, moves and sets, in the order of their encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
#[allow(missing_docs, reason = "the architecture's own names")]
pub enum Condition {
    O,
    No,
    B,
    Ae,
    Z,
    Nz,
    Be,
    A,
    S,
    Ns,
    P,
    Np,
    L,
    Ge,
    Le,
    G,
}

impl Condition {
    /// All sixteen, in encoding order.
    pub const ALL: [Self; 16] = [
        Self::O,
        Self::No,
        Self::B,
        Self::Ae,
        Self::Z,
        Self::Nz,
        Self::Be,
        Self::A,
        Self::S,
        Self::Ns,
        Self::P,
        Self::Np,
        Self::L,
        Self::Ge,
        Self::Le,
        Self::G,
    ];

    /// The letters after `j`, `set` and `cmov`.
    pub fn name(self) -> &'static str {
        ["o", "no", "b", "ae", "e", "ne", "be", "a", "s", "ns", "p", "np", "l", "ge", "le", "g"]
            [self as usize]
    }

    /// Whether the flags meet the condition.
    #[inline(always)]
    pub fn holds(self, flags: crate::Flags) -> bool {
        match self {
            Self::O => flags.overflow(),
            Self::No => !flags.overflow(),
            Self::B => flags.carry(),
            Self::Ae => !flags.carry(),
            Self::Z => flags.zero(),
            Self::Nz => !flags.zero(),
            Self::Be => flags.carry() || flags.zero(),
            Self::A => !flags.carry() && !flags.zero(),
            Self::S => flags.sign(),
            Self::Ns => !flags.sign(),
            Self::P => flags.parity(),
            Self::Np => !flags.parity(),
            Self::L => flags.less(),
            Self::Ge => !flags.less(),
            Self::Le => flags.less() || flags.zero(),
            Self::G => !flags.less() && !flags.zero(),
        }
    }
}

macro_rules! ops {
    (
        straight { $($code:ident $method:ident $name:literal)* }
        jumping { $($jump_code:ident $jump_method:ident $jump_name:literal)* }
    ) => {
        /// What an op does.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
        #[repr(u16)]
        #[allow(missing_docs, reason = "the names of instructions")]
        pub enum Code { $($code,)* $($jump_code,)* }

        impl Code {
            /// All codes, in the table's order.
            pub const ALL: &[Self] = &[$(Self::$code,)* $(Self::$jump_code,)*];

            /// The instruction's name.
            pub fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* $(Self::$jump_code => $jump_name,)* }
            }
        }

        /// One method for each op: those that go on with the next op, and those that may go
        /// elsewhere and return the place in the code cache where.
        #[allow(missing_docs, reason = "one method for each row of the table")]
        pub trait Visitor {
            /// Why an op was not done, or why the machine stops.
            type Exit;
            $(fn $method(&mut self, op: &Op) -> Result<(), Self::Exit>;)*
            $(fn $jump_method(&mut self, op: &Op, at: usize) -> Result<usize, Self::Exit>;)*
        }

        /// Runs ops from place `at` until one leaves with a reason, or until `left` has counted
        /// down to zero: then there is none.
        #[inline(always)]
        pub fn execute<V: Visitor>(
            visitor: &mut V,
            ops: &[Op],
            at: &mut usize,
            left: &mut u64,
        ) -> Option<V::Exit> {
            // Locals, and a match whose arms go on by themselves: joining the arms in one result
            // took a fifth more time.
            let (mut place, mut remaining) = (*at, *left);
            let exit = loop {
                if remaining == 0 {
                    break None;
                }
                remaining -= 1;
                let op = &ops[place];
                match op.code {
                    $(Code::$code => match visitor.$method(op) {
                        Ok(()) => place += 1,
                        Err(exit) => break Some(exit),
                    },)*
                    $(Code::$jump_code => match visitor.$jump_method(op, place) {
                        Ok(next) => place = next,
                        Err(exit) => break Some(exit),
                    },)*
                }
            };
            (*at, *left) = (place, remaining);
            exit
        }
    };
}

ops! {
    straight {
        // Special codes: 32 bits wide unless their name ends in 8 or 16, memory without a segment.
        MovRR mov_rr "mov"
        MovRI mov_ri "mov"
        MovRM mov_rm "mov"
        MovMR mov_mr "mov"
        MovMI mov_mi "mov"
        MovRM8 mov_rm8 "mov"
        MovMR8 mov_mr8 "mov"
        MovMI8 mov_mi8 "mov"
        MovzxRR8 movzx_rr8 "movzx"
        MovzxRM8 movzx_rm8 "movzx"
        MovzxRM16 movzx_rm16 "movzx"
        MovsxRM8 movsx_rm8 "movsx"
        MovsxRM16 movsx_rm16 "movsx"
        LeaPlain lea_plain "lea"
        AddRR add_rr "add"
        AddRI add_ri "add"
        AddRM add_rm "add"
        AddMR add_mr "add"
        AddMI add_mi "add"
        SubRR sub_rr "sub"
        SubRI sub_ri "sub"
        SubRM sub_rm "sub"
        SubMR sub_mr "sub"
        SubMI sub_mi "sub"
        AndRR and_rr "and"
        AndRI and_ri "and"
        AndRM and_rm "and"
        OrRR or_rr "or"
        OrRI or_ri "or"
        OrRM or_rm "or"
        XorRR xor_rr "xor"
        XorRI xor_ri "xor"
        XorRM xor_rm "xor"
        AdcRR adc_rr "adc"
        AdcRI adc_ri "adc"
        SbbRR sbb_rr "sbb"
        CmpRR cmp_rr "cmp"
        CmpRI cmp_ri "cmp"
        CmpRM cmp_rm "cmp"
        CmpMR cmp_mr "cmp"
        CmpMI cmp_mi "cmp"
        CmpMI8 cmp_mi8 "cmp"
        CmpRI8 cmp_ri8 "cmp"
        TestRR test_rr "test"
        TestRI test_ri "test"
        TestRR8 test_rr8 "test"
        TestRI8 test_ri8 "test"
        IncR inc_r "inc"
        DecR dec_r "dec"
        ShlRI shl_ri "shl"
        ShrRI shr_ri "shr"
        SarRI sar_ri "sar"
        RolRI rol_ri "rol"
        ImulRR imul_rr "imul"
        ImulRM imul_rm "imul"
        ImulRRI imul_rri "imul"
        PushR push_r "push"
        PushI push_i "push"
        PushM push_m "push"
        PopR pop_r "pop"
        Leave32 leave32 "leave"

        // General codes.
        Nop nop "nop"
        Mov mov "mov"
        Movzx movzx "movzx"
        Movsx movsx "movsx"
        Lea lea "lea"
        Xchg xchg "xchg"
        Xadd xadd "xadd"
        Cmpxchg cmpxchg "cmpxchg"
        Cmpxchg8b cmpxchg8b "cmpxchg8b"
        Bswap bswap "bswap"
        Cmov cmov "cmov"
        Set set "set"
        Push push "push"
        Pop pop "pop"
        Pusha pusha "pusha"
        Popa popa "popa"
        Pushf pushf "pushf"
        Popf popf "popf"
        Enter enter "enter"
        Leave leave "leave"
        Xlat xlat "xlat"
        Lahf lahf "lahf"
        Sahf sahf "sahf"
        Widen widen "cwde"
        WidenDouble widen_double "cdq"
        StoreSegment store_segment "mov"
        PushSegment push_segment "push"
        Salc salc "salc"
        Add add "add"
        Or or "or"
        Adc adc "adc"
        Sbb sbb "sbb"
        And and "and"
        Sub sub "sub"
        Xor xor "xor"
        Cmp cmp "cmp"
        Test test "test"
        Inc inc "inc"
        Dec dec "dec"
        Neg neg "neg"
        Not not "not"
        Mul mul "mul"
        Imul imul "imul"
        ImulInto imul_into "imul"
        Div div "div"
        Idiv idiv "idiv"
        Rol rol "rol"
        Ror ror "ror"
        Rcl rcl "rcl"
        Rcr rcr "rcr"
        Shl shl "shl"
        Shr shr "shr"
        Sar sar "sar"
        Shld shld "shld"
        Shrd shrd "shrd"
        Bt bt "bt"
        Bts bts "bts"
        Btr btr "btr"
        Btc btc "btc"
        Bsf bsf "bsf"
        Bsr bsr "bsr"
        Tzcnt tzcnt "tzcnt"
        Lzcnt lzcnt "lzcnt"
        Popcnt popcnt "popcnt"
        Movbe movbe "movbe"
        Crc32 crc32 "crc32"
        Daa daa "daa"
        Das das "das"
        Aaa aaa "aaa"
        Aas aas "aas"
        Aam aam "aam"
        Aad aad "aad"
        Clc clc "clc"
        Stc stc "stc"
        Cmc cmc "cmc"
        Cld cld "cld"
        Std std "std"
        Movs movs "movs"
        Cmps cmps "cmps"
        Stos stos "stos"
        Lods lods "lods"
        Scas scas "scas"
        Bound bound "bound"
        Cpuid cpuid "cpuid"
        Rdtsc rdtsc "rdtsc"
        Rdtscp rdtscp "rdtscp"
        X87 x87 "x87"
        Simd simd "simd"
    }
    jumping {
        Jo jo "jo"
        Jno jno "jno"
        Jb jb "jb"
        Jae jae "jae"
        Jz jz "je"
        Jnz jnz "jne"
        Jbe jbe "jbe"
        Ja ja "ja"
        Js js "js"
        Jns jns "jns"
        Jp jp "jp"
        Jnp jnp "jnp"
        Jl jl "jl"
        Jge jge "jge"
        Jle jle "jle"
        Jg jg "jg"
        Jmp jmp "jmp"
        JmpIndirect jmp_indirect "jmp"
        Call call "call"
        CallIndirect call_indirect "call"
        Ret ret "ret"
        Loop loop_ "loop"
        Loope loope "loope"
        Loopne loopne "loopne"
        Jecxz jecxz "jecxz"
        LoadSegment load_segment "mov"
        PopSegment pop_segment "pop"
        Interrupt interrupt "int"
        Breakpoint breakpoint "int3"
        Into into "into"
        Undefined undefined "(undefined)"
        Privileged privileged "(privileged)"
        Unsupported unsupported "(not modelled)"
        Request request "request"
        Intercept intercept "intercept"
        Goto goto "goto"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_op_has_sixteen_bytes() {
        assert_eq!(size_of::<Op>(), 16);
    }
}
