//! The portable transcendental functions against the host's: near where they approximate, equal
//! where the operands are special.

use crate::x87::number::{Kind, Parts};
use crate::x87::samples::{Random, rounds};
use crate::x87::transcendental::{Binary, Unary};
use crate::x87::{F80, approximate, host};

const CONTROL: u16 = 0x037f;

/// Whether two results agree to 40 bits, or are the same special value.
fn is_near(a: F80, b: F80) -> bool {
    let (x, y) = (a.unpack(), b.unpack());
    if x.kind != Kind::Finite || y.kind != Kind::Finite {
        return a == b;
    }
    let distance = |x: Parts, y: Parts| {
        let scaled = |p: Parts| {
            let magnitude = i128::from(p.mantissa) << 40 >> (x.exponent - p.exponent).min(126);
            if p.sign { -magnitude } else { magnitude }
        };
        (scaled(x) - scaled(y)).abs()
    };
    let error = if x.exponent >= y.exponent { distance(x, y) } else { distance(y, x) };
    error < 1 << (63 + 40 - 40)
}

/// A number of a size for which doubles are fit, or a special one.
fn operand(random: &mut Random) -> F80 {
    let value = random.extended();
    let unpacked = value.unpack();
    if unpacked.kind != Kind::Finite {
        return value;
    }
    let exponent = 0x3fff - 20 + random.below(23) as u16;
    F80 { sign_exponent: value.sign_exponent & 0x8000 | exponent, mantissa: unpacked.mantissa }
}

#[test]
fn functions_of_one_operand_agree() {
    let mut random = Random(0x1357_9bdf_0246_8ace);
    for _ in 0..rounds(20_000) {
        let value = operand(&mut random);
        for function in [Unary::Sine, Unary::Cosine] {
            let (ours, host) = (
                approximate::unary(function, CONTROL, value),
                host::unary(function, CONTROL, value),
            );
            assert!(is_near(ours.value, host.value), "{function:?} {value:x?} {ours:x?} {host:x?}");
            assert_eq!(ours.status & 0x41f, host.status & 0x41f, "{function:?} {value:x?}");
        }
        let pairs = [
            (approximate::tangent(CONTROL, value), host::tangent(CONTROL, value)),
            (approximate::sine_and_cosine(CONTROL, value), host::sine_and_cosine(CONTROL, value)),
        ];
        for (ours, host) in pairs {
            assert!(is_near(ours.first, host.first), "{value:x?} {ours:x?} {host:x?}");
            assert!(is_near(ours.second.value, host.second.value), "{value:x?}");
        }
        let finite = value.unpack().kind == Kind::Finite;
        if !finite || value.biased() < 0x3fff {
            let ours = approximate::unary(Unary::ExponentialMinusOne, CONTROL, value);
            let host = host::unary(Unary::ExponentialMinusOne, CONTROL, value);
            assert!(is_near(ours.value, host.value), "{value:x?} {ours:x?} {host:x?}");
        }
    }
}

#[test]
fn functions_of_two_operands_agree() {
    let mut random = Random(0x2468_ace0_1357_9bdf);
    for _ in 0..rounds(20_000) {
        let (x, y) = (operand(&mut random), operand(&mut random));
        for function in [Binary::ArcTangent, Binary::Logarithm] {
            let ours = approximate::binary(function, CONTROL, x, y);
            let host = host::binary(function, CONTROL, x, y);
            assert!(
                is_near(ours.value, host.value),
                "{function:?} {x:x?} {y:x?} {ours:x?} {host:x?}"
            );
        }
        // The argument of this one must be small.
        if x.unpack().kind == Kind::Finite && x.biased() < 0x3ffd {
            let ours = approximate::binary(Binary::LogarithmPlusOne, CONTROL, x, y);
            let host = host::binary(Binary::LogarithmPlusOne, CONTROL, x, y);
            assert!(is_near(ours.value, host.value), "{x:x?} {y:x?} {ours:x?} {host:x?}");
        }
    }
}
