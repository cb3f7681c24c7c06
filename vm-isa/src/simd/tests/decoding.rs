//! All MMX and SSE opcodes up to SSE4.2 are decoded, and every row of the table is reached.

use std::collections::HashSet;

use iced_x86::{CpuidFeature, Decoder, DecoderOptions, Instruction, Mnemonic};

use crate::simd::{Operand, SimdOp};

fn decode(code: &[u8]) -> Instruction {
    let mut padded = code.to_vec();
    padded.resize(15, 0);
    Decoder::new(32, &padded, DecoderOptions::NONE).decode()
}

/// All encodings of two and three opcode bytes, with each mandatory prefix.
fn encodings() -> impl Iterator<Item = Instruction> {
    let opcodes = (0..=255u8).flat_map(|opcode| (0..=255u8).map(move |modrm| (opcode, modrm)));
    opcodes.flat_map(|(opcode, modrm)| {
        let maps = [vec![opcode, modrm], vec![0x38, opcode, modrm], vec![0x3a, opcode, modrm]];
        maps.into_iter().flat_map(|map| {
            [vec![], vec![0x66], vec![0xf2], vec![0xf3]]
                .map(|prefix| decode(&[&prefix[..], &[0x0f], &map[..]].concat()))
        })
    })
}

#[test]
fn every_encoding_is_known() {
    let ours = [
        CpuidFeature::MMX,
        CpuidFeature::SSE,
        CpuidFeature::SSE2,
        CpuidFeature::SSE3,
        CpuidFeature::SSSE3,
        CpuidFeature::SSE4_1,
        CpuidFeature::SSE4_2,
        CpuidFeature::FXSR,
        CpuidFeature::CLFSH,
    ];
    let unknown: HashSet<_> = encodings()
        .filter(|found| found.cpuid_features().iter().any(|feature| ours.contains(feature)))
        .filter(|found| SimdOp::decode(found).is_none())
        // Those work with other registers: general ones, or those of the x87.
        .filter(|found| !matches!(found.mnemonic(), Mnemonic::Crc32 | Mnemonic::Fisttp))
        .map(|found| format!("{:?}", found.code()))
        .collect();
    assert_eq!(unknown, HashSet::new());
}

#[test]
fn every_row_is_reached() {
    let reached: HashSet<_> =
        encodings().filter_map(|found| SimdOp::decode(&found)).map(|found| found.op).collect();
    let missing: Vec<_> = SimdOp::ALL.iter().filter(|op| !reached.contains(op)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn operands_are_found() {
    let found = |code: &[u8]| SimdOp::decode(&decode(code)).expect("SIMD");
    let shift = found(&[0x66, 0x0f, 0x72, 0xf3, 7]);
    assert_eq!(
        (shift.op, shift.dst, shift.src, shift.imm8),
        (SimdOp::Pslld, Operand::Xmm(3), Operand::None, 7)
    );
    let insert = found(&[0x0f, 0xc4, 0xca, 2]);
    assert_eq!(
        (insert.op, insert.dst, insert.src, insert.imm8),
        (SimdOp::Pinsrw, Operand::Mm(1), Operand::Gpr(2), 2)
    );
    let store = found(&[0xf2, 0x0f, 0x11, 0x45, 0x08]);
    assert_eq!((store.op, store.dst, store.src), (SimdOp::Movsd, Operand::Memory, Operand::Xmm(0)));
    let masked = found(&[0x66, 0x0f, 0xf7, 0xca]);
    assert_eq!(
        (masked.op, masked.dst, masked.src),
        (SimdOp::Maskmovdqu, Operand::Xmm(1), Operand::Xmm(2))
    );
}

#[test]
fn masked_stores_to_a_segment_are_refused() {
    assert_eq!(SimdOp::decode(&decode(&[0x65, 0x66, 0x0f, 0xf7, 0xca])), None);
}
