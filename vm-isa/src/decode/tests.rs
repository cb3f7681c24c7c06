//! Tests of decoding by what the printer shows.

use super::*;
use crate::specialise;

fn shown(bytes: &[u8]) -> String {
    let decoded = decode(bytes, 0x1000).expect("whole");
    assert_eq!(usize::from(decoded.length), bytes.len(), "{bytes:x?}");
    assert_eq!(decoded.op.to_string(), specialise(decoded.op).to_string());
    decoded.op.to_string()
}

#[test]
fn operands_of_all_kinds() {
    for (bytes, text) in [
        (&[0x8b, 0x45, 0xf8][..], "mov eax, [ebp-0x8]"),
        (&[0x89, 0x04, 0x8d, 0, 0x10, 0, 0], "mov [ecx*4+0x1000], eax"),
        (&[0x66, 0x83, 0xc0, 0xff], "add ax, 0xffff"),
        (&[0x80, 0x38, 0x41], "cmp byte [eax], 0x41"),
        (&[0x65, 0xa1, 0x14, 0, 0, 0], "mov eax, gs:[0x14]"),
        (&[0x65, 0xff, 0x15, 0x10, 0, 0, 0], "call gs:[0x10]"),
        (&[0xf0, 0x0f, 0xb1, 0x0a], "lock cmpxchg [edx], ecx"),
        (&[0xf3, 0xa5], "rep movsd"),
        (&[0xf2, 0xae], "repne scasb"),
        (&[0x0f, 0xb6, 0xc1], "movzx eax, cl"),
        (&[0x6b, 0xc1, 0x07], "imul eax, ecx, 0x7"),
        (&[0x0f, 0xa4, 0xc2, 0x04], "shld edx, eax, 0x4"),
        (&[0x0f, 0xad, 0xc2], "shrd edx, eax, cl"),
        (&[0x75, 0xfe], "jne 0x1000"),
        (&[0xe8, 0, 0, 0, 0], "call 0x1005"),
        (&[0x67, 0x8b, 0x40, 0x02], "mov eax, [bx+si*1+0x2]"),
        (&[0x8e, 0xe8], "mov gs, ax"),
        (&[0x6a, 0xff], "push 0xffffffff"),
        (&[0x0f, 0x94, 0xc0], "sete al"),
        (&[0xcd, 0x80], "int 0x80"),
        (&[0xf3, 0x0f, 0xbc, 0xc1], "tzcnt eax, ecx"),
        (&[0xf3, 0x0f, 0xbd, 0xc1], "lzcnt eax, ecx"),
        (&[0x66, 0xf3, 0x0f, 0xb8, 0x01], "popcnt ax, word [ecx]"),
        (&[0x0f, 0x38, 0xf1, 0x01], "movbe [ecx], eax"),
        (&[0xf2, 0x0f, 0x38, 0xf0, 0xc4], "crc32 eax, ah"),
        (&[0x0f, 0x1f, 0x80, b'S', b'T', 1, 0], "request 0x1"),
        (&[0x0f, 0x1f, 0x80, b'S', b'T', 1, 1], "nop"),
        (&[0xd3, 0xe0], "shl eax, cl"),
        (&[0xf3, 0x0f, 0x1e, 0xc8], "nop"),
    ] {
        assert_eq!(shown(bytes), text);
    }
}

#[test]
fn bytes_that_end_too_early_are_no_instruction() {
    assert_eq!(decode(&[0x8b], 0), None);
    assert_eq!(decode(&[], 0), None);
    assert_eq!(decode(&[0xe8, 0, 0], 0), None);
}

#[test]
fn what_user_mode_may_not_do_and_what_does_not_exist() {
    assert_eq!(decode(&[0xf4], 0).unwrap().op.code, Code::Privileged);
    assert_eq!(decode(&[0x0f, 0x0b], 0).unwrap().op.code, Code::Undefined);
    assert_eq!(decode(&[0xf0, 0x90], 0).unwrap().op.code, Code::Undefined);
    assert_eq!(decode(&[0x0f, 0xff], 0).map(|d| d.op.code), None);
    // vpaddd with ymm registers, vmovups, a segment prefix before it, AVX-512, aesenc, adcx, int1.
    for newer in [
        &[0xc5, 0xfd, 0xfe, 0x05, 0, 0x10, 0, 0][..],
        &[0xc4, 0xe2, 0x7d, 0x58, 0xc0],
        &[0x65, 0xc5, 0xf8, 0x10, 0x05, 0, 0, 0, 0],
        &[0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc1],
        &[0x66, 0x0f, 0x38, 0xdc, 0xc1],
        &[0x66, 0x0f, 0x38, 0xf6, 0xc1],
        &[0xf1],
    ] {
        assert_eq!(decode(newer, 0).unwrap().op.code, Code::Unsupported, "{newer:x?}");
    }
}
