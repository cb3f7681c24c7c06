//! All x87 opcodes are decoded, and every row of the table is reached.

use std::collections::HashSet;

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic};

use crate::x87::X87Op;

/// All encodings of one opcode byte, with and without an operand-size prefix.
fn encodings() -> impl Iterator<Item = Instruction> {
    let opcodes = (0xd8..=0xdfu8).chain([0x9b]);
    let bytes = opcodes.flat_map(|opcode| (0..=255u8).map(move |modrm| [opcode, modrm]));
    bytes.flat_map(|[opcode, modrm]| {
        [&[opcode, modrm][..], &[0x66, opcode, modrm][..]].map(|start| {
            let mut code = start.to_vec();
            code.resize(15, 0);
            Decoder::new(32, &code, DecoderOptions::NONE).decode()
        })
    })
}

#[test]
fn every_encoding_is_known() {
    // The one alias of `fstp` that differs from it (no stack fault) is left unknown on purpose.
    let unknown: HashSet<_> = encodings()
        .filter(|found| !found.is_invalid() && X87Op::decode(found).is_none())
        .map(|found| found.mnemonic())
        .collect();
    assert_eq!(unknown, HashSet::from([Mnemonic::Fstpnce]));
}

#[test]
fn every_row_is_reached() {
    let reached: HashSet<_> =
        encodings().filter_map(|found| X87Op::decode(&found)).map(|found| found.op).collect();
    let missing: Vec<_> = X87Op::ALL.iter().filter(|op| !reached.contains(op)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn operands_are_found() {
    let decode = |code: &[u8]| {
        X87Op::decode(&Decoder::new(32, code, DecoderOptions::NONE).decode()).expect("x87")
    };
    let subtract = decode(&[0xdc, 0xe3]);
    assert_eq!((subtract.op, subtract.sti, subtract.memory), (X87Op::FsubrSti, 3, false));
    let load = decode(&[0xdd, 0x45, 0x08]);
    assert_eq!((load.op, load.sti, load.memory), (X87Op::FldM64, 0, true));
}
