//! Whole instructions against the host CPU, over random operands in all modes of MXCSR.

use crate::simd::host::oracle::{CASES, Case, Scene};
use crate::simd::{Operand, Simd, SimdOp, execute};
use crate::x87::samples::{Bench, Random, image, rounds};

impl Random {
    /// A vector of floating point lanes that suit the instruction, or of any bits.
    fn vector(&mut self, name: &str) -> u128 {
        let from_integers = name.starts_with("cvtdq") || name.starts_with("cvtpi");
        let single = name.ends_with("ps") || name.ends_with("ss");
        let double = name.ends_with("pd") || name.ends_with("sd");
        let conversion_of_singles = name.contains("ps2") || name.contains("ss2");
        let conversion_of_doubles = name.contains("pd2") || name.contains("sd2");
        if !from_integers && (conversion_of_singles || (single && !conversion_of_doubles)) {
            return (0..4).fold(0, |sum, _| sum << 32 | u128::from(self.single()));
        }
        if !from_integers && (conversion_of_doubles || double) {
            return (0..2).fold(0, |sum, _| sum << 64 | u128::from(self.double()));
        }
        let value = u128::from(self.next()) << 64 | u128::from(self.next());
        // Shift counts are only interesting when they are small.
        if self.below(2) == 0 { value } else { value >> 64 << 64 | u128::from(self.below(70)) }
    }

    /// An area that `fxrstor` accepts.
    fn saved_state(&mut self) -> [u8; 512] {
        let mut simd = Simd { mxcsr: 0x1f80 | self.next() as u32 & 0xe07f, ..Simd::default() };
        simd.xmm = std::array::from_fn(|_| self.vector("any"));
        let mut bench = Bench::new(&[0; 512]);
        let (op, none) = (SimdOp::Fxsave, Operand::None);
        execute(op, Operand::Memory, none, 0, 0, &mut simd, &mut self.unit(), &mut bench)
            .expect("the area is there");
        std::array::from_fn(|i| bench.memory[i])
    }

    fn scene(&mut self, case: &Case) -> Scene {
        let name = case.op.name();
        let mut memory = [0; 512];
        for chunk in memory.chunks_exact_mut(16) {
            chunk.copy_from_slice(&self.vector(name).to_le_bytes());
        }
        let mut xmm = [self.vector(name), self.vector(name)];
        if self.below(6) == 0 {
            xmm[1] = xmm[0];
            memory[..16].copy_from_slice(&xmm[0].to_le_bytes());
        }
        if case.op == SimdOp::Ldmxcsr {
            memory[..4].copy_from_slice(&(self.next() as u32 & 0xe07f | 0x1f80).to_le_bytes());
        }
        if case.op == SimdOp::Fxrstor {
            memory = self.saved_state();
        }
        Scene {
            memory,
            xmm,
            mxcsr: 0x1f80 | self.next() as u32 & if self.below(2) == 0 { 0xe07f } else { 0x20 },
            usual_mxcsr: 0x1f80,
            flags: (self.next() & 0xd5 | 2) << 8,
            gpr: self.next() & 0xffff_ffff,
            image: image(&self.unit()),
        }
    }
}

/// Our units as a scene shows them.
struct Ours {
    simd: Simd,
    x87: crate::x87::X87,
    bench: Bench,
}

fn ours(scene: &Scene) -> Ours {
    let mut x87 = crate::x87::X87::default();
    let mut loader = Bench::new(&scene.image);
    let frstor = crate::x87::X87Op::Frstor;
    crate::x87::execute(frstor, 0, 0, &mut x87, &mut loader).expect("the image is there");
    let mut simd = Simd { mxcsr: scene.mxcsr, ..Simd::default() };
    simd.xmm[..2].copy_from_slice(&scene.xmm);
    let mut bench = Bench::new(&scene.memory);
    (bench.gpr, bench.flags) = (scene.gpr as u32, (scene.flags >> 8) as u8);
    Ours { simd, x87, bench }
}

impl Ours {
    fn show(&self) -> String {
        format!(
            "mxcsr {:04x} flags {:02x} ecx {:08x} xmm0 {:032x} xmm1 {:032x} mem {:032x}\n  \
             cw {:04x} sw {:04x} tags {:02x} r0 {:x?} r1 {:x?}",
            self.simd.mxcsr,
            self.bench.flags,
            self.bench.gpr,
            self.simd.xmm[0],
            self.simd.xmm[1],
            self.bench.memory[..16].iter().rev().fold(0u128, |sum, &b| sum << 8 | u128::from(b)),
            self.x87.control,
            self.x87.status,
            self.x87.tags,
            self.x87.regs[0],
            self.x87.regs[1],
        )
    }
}

/// Clears what `fxsave` writes and we do not model: instruction and data pointers, the mask of
/// MXCSR bits that this CPU knows, registers of 64-bit mode; and the registers 2 to 7, which a
/// scene does not have.
fn forget_unmodelled(area: &mut [u8]) {
    area[6..24].fill(0);
    area[28..32].fill(0);
    area[192..].fill(0);
}

fn difference(case: &Case, random: &mut Random) -> Option<String> {
    let mut scene = random.scene(case);
    let mut ours_after = ours(&scene);
    let before = ours_after.show();
    (case.run)(&mut scene);
    let Ours { simd, x87, bench } = &mut ours_after;
    execute(case.op, case.dst, case.src, case.imm8, 0, simd, x87, bench).expect("all is masked");
    let mut host = ours(&scene);
    if case.op == SimdOp::Fxsave {
        forget_unmodelled(&mut host.bench.memory);
        forget_unmodelled(&mut ours_after.bench.memory);
    }
    let agrees = host.simd.mxcsr == ours_after.simd.mxcsr
        && host.simd.xmm[..2] == ours_after.simd.xmm[..2]
        && host.x87 == ours_after.x87
        && host.bench.memory == ours_after.bench.memory
        && host.bench.gpr == ours_after.bench.gpr
        && host.bench.flags == ours_after.bench.flags;
    (!agrees).then(|| {
        let (host, ours) = (host.show(), ours_after.show());
        format!("{}\n before {before}\n host   {host}\n ours   {ours}", case.text)
    })
}

#[test]
fn every_instruction_agrees_with_the_host() {
    let mut random = Random(0x0fed_cba9_8765_4321);
    let rounds = rounds(250);
    let mut failures = Vec::new();
    for case in CASES {
        let differences: Vec<_> =
            (0..rounds).filter_map(|_| difference(case, &mut random)).collect();
        failures.extend(differences.iter().take(2).cloned());
        if !differences.is_empty() {
            failures.push(format!("=== {} : {} of {rounds}", case.text, differences.len()));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
