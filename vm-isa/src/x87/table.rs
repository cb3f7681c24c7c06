//! The table of all x87 instructions: it makes the enum, the printer, the decoder and the
//! dispatch, so that none of them can forget an instruction.

use super::comparison::{CompareKind, Source};
use super::machine::Machine;
use super::number::Rounding;
use super::soft::Arithmetic::{Add, Divide, DivideReversed, Multiply, Subtract, SubtractReversed};
use super::transcendental::{Binary, Unary};
use super::transfer::{Constant, Width};
use crate::fp_env::FpEnv;

/// Whether an instruction first raises the exception that an earlier one left pending.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    Yes,
    No,
}

macro_rules! x87_table {
    ($($op:ident $name:literal [$($code:ident),+] $waits:ident
       => $handler:ident($($argument:expr),*);)+) => {
        /// An x87 instruction with the form of its operands.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum X87Op {
            $(#[doc = concat!("`", $name, "`")] $op,)+
        }

        impl X87Op {
            /// All instructions, in the order of the table.
            pub const ALL: &[X87Op] = &[$(X87Op::$op),+];

            /// The name that a disassembly prints.
            pub fn name(self) -> &'static str {
                match self { $(X87Op::$op => $name,)+ }
            }

            pub(super) fn from_code(code: iced_x86::Code) -> Option<X87Op> {
                match code {
                    $($(iced_x86::Code::$code)|+ => Some(X87Op::$op),)+
                    _ => None,
                }
            }
        }

        impl<E: FpEnv> Machine<'_, E> {
            /// Runs one instruction.
            #[inline]
            pub(super) fn dispatch(&mut self, op: X87Op) -> Result<(), E::Trap> {
                match op {
                    $(X87Op::$op => {
                        if Waits::$waits == Waits::Yes && self.fpu.pending() {
                            return Err(self.env.math_fault());
                        }
                        self.$handler($($argument),*)
                    })+
                }
            }
        }
    };
}

x87_table! {
    FldM32 "fld m32" [Fld_m32fp] Yes => load_single();
    FldM64 "fld m64" [Fld_m64fp] Yes => load_double();
    FldM80 "fld m80" [Fld_m80fp] Yes => load_extended();
    FldSti "fld" [Fld_sti] Yes => load_register();
    FildM16 "fild m16" [Fild_m16int] Yes => load_integer(Width::Word);
    FildM32 "fild m32" [Fild_m32int] Yes => load_integer(Width::Double);
    FildM64 "fild m64" [Fild_m64int] Yes => load_integer(Width::Quad);
    Fbld "fbld" [Fbld_m80bcd] Yes => load_decimal();
    Fld1 "fld1" [Fld1] Yes => load_constant(Constant::One);
    Fldl2t "fldl2t" [Fldl2t] Yes => load_constant(Constant::Log2Of10);
    Fldl2e "fldl2e" [Fldl2e] Yes => load_constant(Constant::Log2OfE);
    Fldpi "fldpi" [Fldpi] Yes => load_constant(Constant::Pi);
    Fldlg2 "fldlg2" [Fldlg2] Yes => load_constant(Constant::Log10Of2);
    Fldln2 "fldln2" [Fldln2] Yes => load_constant(Constant::LnOf2);
    Fldz "fldz" [Fldz] Yes => load_constant(Constant::Zero);

    FstM32 "fst m32" [Fst_m32fp] Yes => store_single(false);
    FstM64 "fst m64" [Fst_m64fp] Yes => store_double(false);
    FstSti "fst" [Fst_sti] Yes => store_register(false);
    FstpM32 "fstp m32" [Fstp_m32fp] Yes => store_single(true);
    FstpM64 "fstp m64" [Fstp_m64fp] Yes => store_double(true);
    FstpM80 "fstp m80" [Fstp_m80fp] Yes => store_extended();
    FstpSti "fstp" [Fstp_sti, Fstp_sti_DFD0, Fstp_sti_DFD8] Yes
        => store_register(true);
    FistM16 "fist m16" [Fist_m16int] Yes => store_integer(Width::Word, None, false);
    FistM32 "fist m32" [Fist_m32int] Yes => store_integer(Width::Double, None, false);
    FistpM16 "fistp m16" [Fistp_m16int] Yes => store_integer(Width::Word, None, true);
    FistpM32 "fistp m32" [Fistp_m32int] Yes => store_integer(Width::Double, None, true);
    FistpM64 "fistp m64" [Fistp_m64int] Yes => store_integer(Width::Quad, None, true);
    FisttpM16 "fisttp m16" [Fisttp_m16int] Yes
        => store_integer(Width::Word, Some(Rounding::Zero), true);
    FisttpM32 "fisttp m32" [Fisttp_m32int] Yes
        => store_integer(Width::Double, Some(Rounding::Zero), true);
    FisttpM64 "fisttp m64" [Fisttp_m64int] Yes
        => store_integer(Width::Quad, Some(Rounding::Zero), true);
    Fbstp "fbstp" [Fbstp_m80bcd] Yes => store_decimal();
    Fxch "fxch" [Fxch_st0_sti, Fxch_st0_sti_DDC8, Fxch_st0_sti_DFC8] Yes => exchange();
    Fcmovb "fcmovb" [Fcmovb_st0_sti] Yes => move_if(|_, _, c| c);
    Fcmove "fcmove" [Fcmove_st0_sti] Yes => move_if(|z, _, _| z);
    Fcmovbe "fcmovbe" [Fcmovbe_st0_sti] Yes => move_if(|z, _, c| c || z);
    Fcmovu "fcmovu" [Fcmovu_st0_sti] Yes => move_if(|_, p, _| p);
    Fcmovnb "fcmovnb" [Fcmovnb_st0_sti] Yes => move_if(|_, _, c| !c);
    Fcmovne "fcmovne" [Fcmovne_st0_sti] Yes => move_if(|z, _, _| !z);
    Fcmovnbe "fcmovnbe" [Fcmovnbe_st0_sti] Yes => move_if(|z, _, c| !c && !z);
    Fcmovnu "fcmovnu" [Fcmovnu_st0_sti] Yes => move_if(|_, p, _| !p);

    FaddM32 "fadd m32" [Fadd_m32fp] Yes => arithmetic_single(Add);
    FaddM64 "fadd m64" [Fadd_m64fp] Yes => arithmetic_double(Add);
    FaddSt0 "fadd st, st(i)" [Fadd_st0_sti] Yes => arithmetic_top(Add);
    FaddSti "fadd st(i), st" [Fadd_sti_st0] Yes => arithmetic_register(Add, false);
    Faddp "faddp" [Faddp_sti_st0] Yes => arithmetic_register(Add, true);
    FiaddM16 "fiadd m16" [Fiadd_m16int] Yes => arithmetic_integer(Add, Width::Word);
    FiaddM32 "fiadd m32" [Fiadd_m32int] Yes => arithmetic_integer(Add, Width::Double);
    FsubM32 "fsub m32" [Fsub_m32fp] Yes => arithmetic_single(Subtract);
    FsubM64 "fsub m64" [Fsub_m64fp] Yes => arithmetic_double(Subtract);
    FsubSt0 "fsub st, st(i)" [Fsub_st0_sti] Yes => arithmetic_top(Subtract);
    FsubSti "fsub st(i), st" [Fsub_sti_st0] Yes => arithmetic_register(Subtract, false);
    Fsubp "fsubp" [Fsubp_sti_st0] Yes => arithmetic_register(Subtract, true);
    FisubM16 "fisub m16" [Fisub_m16int] Yes => arithmetic_integer(Subtract, Width::Word);
    FisubM32 "fisub m32" [Fisub_m32int] Yes => arithmetic_integer(Subtract, Width::Double);
    FsubrM32 "fsubr m32" [Fsubr_m32fp] Yes => arithmetic_single(SubtractReversed);
    FsubrM64 "fsubr m64" [Fsubr_m64fp] Yes => arithmetic_double(SubtractReversed);
    FsubrSt0 "fsubr st, st(i)" [Fsubr_st0_sti] Yes => arithmetic_top(SubtractReversed);
    FsubrSti "fsubr st(i), st" [Fsubr_sti_st0] Yes
        => arithmetic_register(SubtractReversed, false);
    Fsubrp "fsubrp" [Fsubrp_sti_st0] Yes => arithmetic_register(SubtractReversed, true);
    FisubrM16 "fisubr m16" [Fisubr_m16int] Yes
        => arithmetic_integer(SubtractReversed, Width::Word);
    FisubrM32 "fisubr m32" [Fisubr_m32int] Yes
        => arithmetic_integer(SubtractReversed, Width::Double);
    FmulM32 "fmul m32" [Fmul_m32fp] Yes => arithmetic_single(Multiply);
    FmulM64 "fmul m64" [Fmul_m64fp] Yes => arithmetic_double(Multiply);
    FmulSt0 "fmul st, st(i)" [Fmul_st0_sti] Yes => arithmetic_top(Multiply);
    FmulSti "fmul st(i), st" [Fmul_sti_st0] Yes => arithmetic_register(Multiply, false);
    Fmulp "fmulp" [Fmulp_sti_st0] Yes => arithmetic_register(Multiply, true);
    FimulM16 "fimul m16" [Fimul_m16int] Yes => arithmetic_integer(Multiply, Width::Word);
    FimulM32 "fimul m32" [Fimul_m32int] Yes => arithmetic_integer(Multiply, Width::Double);
    FdivM32 "fdiv m32" [Fdiv_m32fp] Yes => arithmetic_single(Divide);
    FdivM64 "fdiv m64" [Fdiv_m64fp] Yes => arithmetic_double(Divide);
    FdivSt0 "fdiv st, st(i)" [Fdiv_st0_sti] Yes => arithmetic_top(Divide);
    FdivSti "fdiv st(i), st" [Fdiv_sti_st0] Yes => arithmetic_register(Divide, false);
    Fdivp "fdivp" [Fdivp_sti_st0] Yes => arithmetic_register(Divide, true);
    FidivM16 "fidiv m16" [Fidiv_m16int] Yes => arithmetic_integer(Divide, Width::Word);
    FidivM32 "fidiv m32" [Fidiv_m32int] Yes => arithmetic_integer(Divide, Width::Double);
    FdivrM32 "fdivr m32" [Fdivr_m32fp] Yes => arithmetic_single(DivideReversed);
    FdivrM64 "fdivr m64" [Fdivr_m64fp] Yes => arithmetic_double(DivideReversed);
    FdivrSt0 "fdivr st, st(i)" [Fdivr_st0_sti] Yes => arithmetic_top(DivideReversed);
    FdivrSti "fdivr st(i), st" [Fdivr_sti_st0] Yes
        => arithmetic_register(DivideReversed, false);
    Fdivrp "fdivrp" [Fdivrp_sti_st0] Yes => arithmetic_register(DivideReversed, true);
    FidivrM16 "fidivr m16" [Fidivr_m16int] Yes
        => arithmetic_integer(DivideReversed, Width::Word);
    FidivrM32 "fidivr m32" [Fidivr_m32int] Yes
        => arithmetic_integer(DivideReversed, Width::Double);
    Fabs "fabs" [Fabs] Yes => change_sign(|sign| sign & 0x7fff);
    Fchs "fchs" [Fchs] Yes => change_sign(|sign| sign ^ 0x8000);
    Fsqrt "fsqrt" [Fsqrt] Yes => square_root();
    Frndint "frndint" [Frndint] Yes => round_to_integer();
    Fscale "fscale" [Fscale] Yes => scale();
    Fprem "fprem" [Fprem] Yes => remainder(Rounding::Zero);
    Fprem1 "fprem1" [Fprem1] Yes => remainder(Rounding::Nearest);
    Fxtract "fxtract" [Fxtract] Yes => extract();

    FcomM32 "fcom m32" [Fcom_m32fp] Yes => compare(CompareKind::Ordered, Source::Single, 0);
    FcomM64 "fcom m64" [Fcom_m64fp] Yes => compare(CompareKind::Ordered, Source::Double, 0);
    FcomSti "fcom" [Fcom_st0_sti, Fcom_st0_sti_DCD0] Yes
        => compare(CompareKind::Ordered, Source::Register, 0);
    FcompM32 "fcomp m32" [Fcomp_m32fp] Yes => compare(CompareKind::Ordered, Source::Single, 1);
    FcompM64 "fcomp m64" [Fcomp_m64fp] Yes => compare(CompareKind::Ordered, Source::Double, 1);
    FcompSti "fcomp" [Fcomp_st0_sti, Fcomp_st0_sti_DCD8, Fcomp_st0_sti_DED0] Yes
        => compare(CompareKind::Ordered, Source::Register, 1);
    Fcompp "fcompp" [Fcompp] Yes => compare(CompareKind::Ordered, Source::Next, 2);
    Fucom "fucom" [Fucom_st0_sti] Yes => compare(CompareKind::Unordered, Source::Register, 0);
    Fucomp "fucomp" [Fucomp_st0_sti] Yes => compare(CompareKind::Unordered, Source::Register, 1);
    Fucompp "fucompp" [Fucompp] Yes => compare(CompareKind::Unordered, Source::Next, 2);
    FicomM16 "ficom m16" [Ficom_m16int] Yes
        => compare(CompareKind::Ordered, Source::Integer(Width::Word), 0);
    FicomM32 "ficom m32" [Ficom_m32int] Yes
        => compare(CompareKind::Ordered, Source::Integer(Width::Double), 0);
    FicompM16 "ficomp m16" [Ficomp_m16int] Yes
        => compare(CompareKind::Ordered, Source::Integer(Width::Word), 1);
    FicompM32 "ficomp m32" [Ficomp_m32int] Yes
        => compare(CompareKind::Ordered, Source::Integer(Width::Double), 1);
    Ftst "ftst" [Ftst] Yes => compare(CompareKind::Ordered, Source::Zero, 0);
    Fcomi "fcomi" [Fcomi_st0_sti] Yes => compare_to_flags(CompareKind::Ordered, 0);
    Fcomip "fcomip" [Fcomip_st0_sti] Yes => compare_to_flags(CompareKind::Ordered, 1);
    Fucomi "fucomi" [Fucomi_st0_sti] Yes => compare_to_flags(CompareKind::Unordered, 0);
    Fucomip "fucomip" [Fucomip_st0_sti] Yes => compare_to_flags(CompareKind::Unordered, 1);
    Fxam "fxam" [Fxam] Yes => examine();

    Fsin "fsin" [Fsin] Yes => unary(Unary::Sine);
    Fcos "fcos" [Fcos] Yes => unary(Unary::Cosine);
    F2xm1 "f2xm1" [F2xm1] Yes => unary(Unary::ExponentialMinusOne);
    Fsincos "fsincos" [Fsincos] Yes => sine_and_cosine();
    Fptan "fptan" [Fptan] Yes => tangent();
    Fpatan "fpatan" [Fpatan] Yes => binary(Binary::ArcTangent);
    Fyl2x "fyl2x" [Fyl2x] Yes => binary(Binary::Logarithm);
    Fyl2xp1 "fyl2xp1" [Fyl2xp1] Yes => binary(Binary::LogarithmPlusOne);

    Ffree "ffree" [Ffree_sti] Yes => free(false);
    Ffreep "ffreep" [Ffreep_sti] Yes => free(true);
    Fincstp "fincstp" [Fincstp] Yes => rotate(1);
    Fdecstp "fdecstp" [Fdecstp] Yes => rotate(7);
    Fnop "fnop" [Fnop] Yes => nothing();
    Fwait "fwait" [Wait] Yes => nothing();
    Fnlegacy "fnop (8087, 80287)" [Fneni, Fndisi, Fnsetpm] No => nothing();
    Fninit "fninit" [Fninit] No => initialise();
    Fnclex "fnclex" [Fnclex] No => clear_exceptions();
    Fldcw "fldcw" [Fldcw_m2byte] Yes => load_control();
    Fnstcw "fnstcw" [Fnstcw_m2byte] No => store_control();
    FnstswMemory "fnstsw m16" [Fnstsw_m2byte] No => store_status();
    FnstswAx "fnstsw ax" [Fnstsw_AX] No => store_status_ax();
    Fldenv "fldenv" [Fldenv_m28byte] Yes => load_environment();
    Fnstenv "fnstenv" [Fnstenv_m28byte] No => store_environment();
    FldenvShort "fldenv m14" [Fldenv_m14byte] Yes => load_environment_short();
    FnstenvShort "fnstenv m14" [Fnstenv_m14byte] No => store_environment_short();
    Frstor "frstor" [Frstor_m108byte] Yes => restore();
    Fnsave "fnsave" [Fnsave_m108byte] No => save();
    FrstorShort "frstor m94" [Frstor_m94byte] Yes => restore_short();
    FnsaveShort "fnsave m94" [Fnsave_m94byte] No => save_short();
}
