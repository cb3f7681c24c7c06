//! Whole x87 instructions on the host: the truth that the tests compare with.

use std::arch::asm;

use crate::x87::X87Op;

/// The register operand of all instructions below that have one.
pub(in crate::x87) const STI: u8 = 2;

/// What an instruction sees and leaves: the image of `fnsave`, 128 bytes of memory and the
/// flags in the layout of `lahf`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::x87) struct Scene {
    pub image: [u8; 108],
    pub memory: [u8; 128],
    pub flags: u8,
}

macro_rules! oracle {
    ($($op:ident $text:literal;)+) => {
        /// Runs an instruction on the host; `None` when it has no line below.
        pub(in crate::x87) fn run(op: X87Op, scene: &mut Scene) -> Option<()> {
            match op {
                $(X87Op::$op => {
                    let mut rax = u64::from(scene.flags) << 8;
                    // SAFETY: both buffers are larger than what the instruction touches, and
                    // `fnsave` leaves the unit initialised, as the ABI wants it.
                    unsafe {
                        asm!(
                            "frstor [{image}]",
                            "sahf",
                            $text,
                            "lahf",
                            "fnsave [{image}]",
                            "/* {memory} */",
                            image = in(reg) &raw mut scene.image,
                            memory = in(reg) &raw mut scene.memory,
                            inout("rax") rax,
                            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                        );
                    }
                    scene.flags = (rax >> 8) as u8;
                })+
                _ => return None,
            }
            Some(())
        }
    };
}

oracle! {
    FldM32 "fld dword ptr [{memory}]";
    FldM64 "fld qword ptr [{memory}]";
    FldM80 "fld tbyte ptr [{memory}]";
    FldSti "fld st(2)";
    FildM16 "fild word ptr [{memory}]";
    FildM32 "fild dword ptr [{memory}]";
    FildM64 "fild qword ptr [{memory}]";
    Fbld "fbld tbyte ptr [{memory}]";
    Fld1 "fld1";
    Fldl2t "fldl2t";
    Fldl2e "fldl2e";
    Fldpi "fldpi";
    Fldlg2 "fldlg2";
    Fldln2 "fldln2";
    Fldz "fldz";
    FstM32 "fst dword ptr [{memory}]";
    FstM64 "fst qword ptr [{memory}]";
    FstSti "fst st(2)";
    FstpM32 "fstp dword ptr [{memory}]";
    FstpM64 "fstp qword ptr [{memory}]";
    FstpM80 "fstp tbyte ptr [{memory}]";
    FstpSti "fstp st(2)";
    FistM16 "fist word ptr [{memory}]";
    FistM32 "fist dword ptr [{memory}]";
    FistpM16 "fistp word ptr [{memory}]";
    FistpM32 "fistp dword ptr [{memory}]";
    FistpM64 "fistp qword ptr [{memory}]";
    FisttpM16 "fisttp word ptr [{memory}]";
    FisttpM32 "fisttp dword ptr [{memory}]";
    FisttpM64 "fisttp qword ptr [{memory}]";
    Fbstp "fbstp tbyte ptr [{memory}]";
    Fxch "fxch st(2)";
    Fcmovb "fcmovb st, st(2)";
    Fcmove "fcmove st, st(2)";
    Fcmovbe "fcmovbe st, st(2)";
    Fcmovu "fcmovu st, st(2)";
    Fcmovnb "fcmovnb st, st(2)";
    Fcmovne "fcmovne st, st(2)";
    Fcmovnbe "fcmovnbe st, st(2)";
    Fcmovnu "fcmovnu st, st(2)";
    FaddM32 "fadd dword ptr [{memory}]";
    FaddM64 "fadd qword ptr [{memory}]";
    FaddSt0 "fadd st, st(2)";
    FaddSti "fadd st(2), st";
    Faddp "faddp st(2), st";
    FiaddM16 "fiadd word ptr [{memory}]";
    FiaddM32 "fiadd dword ptr [{memory}]";
    FsubM32 "fsub dword ptr [{memory}]";
    FsubM64 "fsub qword ptr [{memory}]";
    FsubSt0 "fsub st, st(2)";
    FsubSti "fsub st(2), st";
    Fsubp "fsubp st(2), st";
    FisubM16 "fisub word ptr [{memory}]";
    FisubM32 "fisub dword ptr [{memory}]";
    FsubrM32 "fsubr dword ptr [{memory}]";
    FsubrM64 "fsubr qword ptr [{memory}]";
    FsubrSt0 "fsubr st, st(2)";
    FsubrSti "fsubr st(2), st";
    Fsubrp "fsubrp st(2), st";
    FisubrM16 "fisubr word ptr [{memory}]";
    FisubrM32 "fisubr dword ptr [{memory}]";
    FmulM32 "fmul dword ptr [{memory}]";
    FmulM64 "fmul qword ptr [{memory}]";
    FmulSt0 "fmul st, st(2)";
    FmulSti "fmul st(2), st";
    Fmulp "fmulp st(2), st";
    FimulM16 "fimul word ptr [{memory}]";
    FimulM32 "fimul dword ptr [{memory}]";
    FdivM32 "fdiv dword ptr [{memory}]";
    FdivM64 "fdiv qword ptr [{memory}]";
    FdivSt0 "fdiv st, st(2)";
    FdivSti "fdiv st(2), st";
    Fdivp "fdivp st(2), st";
    FidivM16 "fidiv word ptr [{memory}]";
    FidivM32 "fidiv dword ptr [{memory}]";
    FdivrM32 "fdivr dword ptr [{memory}]";
    FdivrM64 "fdivr qword ptr [{memory}]";
    FdivrSt0 "fdivr st, st(2)";
    FdivrSti "fdivr st(2), st";
    Fdivrp "fdivrp st(2), st";
    FidivrM16 "fidivr word ptr [{memory}]";
    FidivrM32 "fidivr dword ptr [{memory}]";
    Fabs "fabs";
    Fchs "fchs";
    Fsqrt "fsqrt";
    Frndint "frndint";
    Fscale "fscale";
    Fprem "fprem";
    Fprem1 "fprem1";
    Fxtract "fxtract";
    FcomM32 "fcom dword ptr [{memory}]";
    FcomM64 "fcom qword ptr [{memory}]";
    FcomSti "fcom st(2)";
    FcompM32 "fcomp dword ptr [{memory}]";
    FcompM64 "fcomp qword ptr [{memory}]";
    FcompSti "fcomp st(2)";
    Fcompp "fcompp";
    Fucom "fucom st(2)";
    Fucomp "fucomp st(2)";
    Fucompp "fucompp";
    FicomM16 "ficom word ptr [{memory}]";
    FicomM32 "ficom dword ptr [{memory}]";
    FicompM16 "ficomp word ptr [{memory}]";
    FicompM32 "ficomp dword ptr [{memory}]";
    Ftst "ftst";
    Fcomi "fcomi st, st(2)";
    Fcomip "fcomip st, st(2)";
    Fucomi "fucomi st, st(2)";
    Fucomip "fucomip st, st(2)";
    Fxam "fxam";
    Fsin "fsin";
    Fcos "fcos";
    F2xm1 "f2xm1";
    Fsincos "fsincos";
    Fptan "fptan";
    Fpatan "fpatan";
    Fyl2x "fyl2x";
    Fyl2xp1 "fyl2xp1";
    Ffree "ffree st(2)";
    Ffreep ".byte 0xdf, 0xc2";
    Fincstp "fincstp";
    Fdecstp "fdecstp";
    Fnop "fnop";
    Fwait "fwait";
    Fninit "fninit";
    Fnclex "fnclex";
    Fldcw "fldcw word ptr [{memory}]";
    Fnstcw "fnstcw word ptr [{memory}]";
    FnstswMemory "fnstsw word ptr [{memory}]";
    Fldenv "fldenv [{memory}]";
    Fnstenv "fnstenv [{memory}]";
    Frstor "frstor [{memory}]";
    Fnsave "fnsave [{memory}]";
}
