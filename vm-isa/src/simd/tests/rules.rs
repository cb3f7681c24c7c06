//! Traps, alignment, unmasked exceptions and the saved state.

use crate::simd::{Operand, Simd, SimdOp, execute};
use crate::x87::X87;
use crate::x87::samples::{Bench, Random};

/// Runs an instruction with `xmm0` as destination.
fn run(
    op: SimdOp,
    src: Operand,
    addr: u32,
    simd: &mut Simd,
    bench: &mut Bench,
) -> Result<(), &'static str> {
    execute(op, Operand::Xmm(0), src, 0, addr, simd, &mut X87::default(), bench)
}

#[test]
fn an_unmasked_exception_keeps_the_destination() {
    let one = u128::from(1.0f64.to_bits());
    let mut simd = Simd { mxcsr: 0x1f80 & !0x200, ..Simd::default() };
    simd.xmm[0] = one;
    let trap = run(SimdOp::Divsd, Operand::Xmm(1), 0, &mut simd, &mut Bench::new(&[]));
    assert_eq!(trap, Err("simd fault"));
    assert_eq!(simd.xmm[0], one);
    assert_eq!(simd.mxcsr, 0x1f80 & !0x200 | 4);
}

#[test]
fn an_early_exception_hides_the_late_ones_of_other_lanes() {
    let lanes = |low: f64, high: f64| u128::from(high.to_bits()) << 64 | u128::from(low.to_bits());
    let mut simd = Simd { mxcsr: 0x1f80 & !0x200, ..Simd::default() };
    (simd.xmm[0], simd.xmm[1]) = (lanes(1.0, 1.0), lanes(3.0, 0.0));
    let trap = run(SimdOp::Divpd, Operand::Xmm(1), 0, &mut simd, &mut Bench::new(&[]));
    assert_eq!(trap, Err("simd fault"));
    assert_eq!(simd.mxcsr & 0x3f, 4);
}

#[test]
fn an_exact_tiny_result_traps_only_where_underflow_is_unmasked() {
    let half = |mxcsr| {
        let mut simd = Simd { mxcsr, ..Simd::default() };
        simd.xmm[0] = u128::from(f64::MIN_POSITIVE.to_bits());
        simd.xmm[1] = u128::from(0.5f64.to_bits());
        let result = run(SimdOp::Mulsd, Operand::Xmm(1), 0, &mut simd, &mut Bench::new(&[]));
        (result, simd.mxcsr & 0x3f)
    };
    assert_eq!(half(0x1f80), (Ok(()), 0));
    assert_eq!(half(0x1f80 & !0x800), (Err("simd fault"), 0x10));
}

#[test]
fn only_the_unaligned_moves_take_any_address() {
    for (op, result) in [
        (SimdOp::Movaps, Err("general protection")),
        (SimdOp::Addps, Err("general protection")),
        (SimdOp::Pand, Err("general protection")),
        (SimdOp::Movdqu, Ok(())),
        (SimdOp::Lddqu, Ok(())),
        (SimdOp::Movsd, Ok(())),
        (SimdOp::Addsd, Ok(())),
        (SimdOp::Cvtps2pd, Ok(())),
    ] {
        let mut bench = Bench::new(&[0; 64]);
        let found = run(op, Operand::Memory, 4, &mut Simd::default(), &mut bench);
        assert_eq!(found, result, "{}", op.name());
    }
}

#[test]
fn a_fault_of_memory_leaves_both_units_alone() {
    let mut random = Random(0x9999_8888_7777_6666);
    for &op in SimdOp::ALL {
        for (dst, src) in [
            (Operand::Xmm(0), Operand::Memory),
            (Operand::Mm(0), Operand::Memory),
            (Operand::Memory, Operand::Mm(0)),
            (Operand::Memory, Operand::None),
        ] {
            let (before, mut simd) = (random.unit(), Simd::default());
            let mut x87 = before.clone();
            let mut bench = Bench::new(&[]);
            let result = execute(op, dst, src, 0, 0, &mut simd, &mut x87, &mut bench);
            if result.is_err() {
                assert_eq!((simd, x87), (Simd::default(), before), "{}", op.name());
            }
        }
    }
}

#[test]
fn the_whole_state_comes_back() {
    let mut random = Random(0x3141_5926_5358_9793);
    for _ in 0..100 {
        let x87 = random.unit();
        let mut simd = Simd { mxcsr: 0x1fbf, ..Simd::default() };
        simd.xmm = std::array::from_fn(|_| u128::from(random.next()) << 64 | 5);
        let mut bench = Bench::new(&[0; 512]);
        let mut go = |op, simd: &mut Simd, x87: &mut X87| {
            execute(op, Operand::Memory, Operand::None, 0, 0, simd, x87, &mut bench)
        };
        let (mut other_simd, mut other_x87) = (Simd::default(), X87::default());
        assert_eq!(go(SimdOp::Fxsave, &mut simd.clone(), &mut x87.clone()), Ok(()));
        assert_eq!(go(SimdOp::Fxrstor, &mut other_simd, &mut other_x87), Ok(()));
        assert_eq!((other_simd, other_x87), (simd, x87));
    }
}

#[test]
fn reserved_bits_of_mxcsr_are_refused() {
    let mut bench = Bench::new(&[0, 0, 1, 0]);
    let mut simd = Simd::default();
    let result = execute(
        SimdOp::Ldmxcsr,
        Operand::Memory,
        Operand::None,
        0,
        0,
        &mut simd,
        &mut X87::default(),
        &mut bench,
    );
    assert_eq!((result, simd), (Err("general protection"), Simd::default()));
}

#[test]
fn mmx_waits_for_x87_exceptions() {
    let mut x87 = X87::default();
    x87.set_control(0x037e);
    x87.set_status(1);
    let before = x87.clone();
    let (dst, src) = (Operand::Mm(0), Operand::Mm(1));
    let mut bench = Bench::new(&[]);
    let result = execute(SimdOp::Paddb, dst, src, 0, 0, &mut Simd::default(), &mut x87, &mut bench);
    assert_eq!((result, x87), (Err("math fault"), before));
}

#[cfg(target_arch = "x86_64")]
#[test]
fn the_portable_estimates_are_as_near_as_the_architecture_asks() {
    use crate::simd::floating::{Estimate, estimate_portably};
    use crate::simd::host;
    let mut random = Random(0x2718_2818_2845_9045);
    for _ in 0..20_000 {
        let bits = random.single();
        for kind in [Estimate::Reciprocal, Estimate::ReciprocalSquareRoot] {
            let ours = f32::from_bits(estimate_portably(kind, bits));
            let host = f32::from_bits(host::estimate(kind, bits));
            // Each may be off by 1.5 * 2^-12 of the true value.
            let near = (ours - host).abs() <= host.abs() * 3.0 / 4096.0;
            let same = ours.to_bits() == host.to_bits();
            let limit = host == 0.0 || ours == 0.0;
            assert!(near || same || limit, "{kind:?} {bits:08x} {ours} {host}");
        }
    }
}
