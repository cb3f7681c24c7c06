//! The table of all MMX and SSE instructions up to SSE4.2: it makes the enum, the printer, the decoder
//! and the dispatch, so that none of them can forget an instruction.

use super::conversion::IntegerRounding::{Round, Truncate};
use super::float::FloatOp::{Add, Divide, Maximum, Minimum, Multiply, SquareRoot, Subtract};
use super::float::{Double, Single};
use super::floating::Estimate;
use super::integer::Shift;
use super::lanes;
use super::machine::{Machine, Registers};
use super::strings::{Answer, Ends};
use crate::fp_env::FpEnv;

macro_rules! simd_table {
    ($($op:ident $name:literal [$($code:ident),+] $registers:ident
       => $handler:ident $(::<$size:literal>)? ($($argument:expr),*);)+) => {
        /// A SIMD instruction; the operands say whether it works on MMX or vector registers.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u16)]
        pub enum SimdOp {
            $(#[doc = concat!("`", $name, "`")] $op,)+
        }

        impl SimdOp {
            /// All instructions, in the order of the table.
            pub const ALL: &[SimdOp] = &[$(SimdOp::$op),+];

            /// The name that a disassembly prints.
            pub fn name(self) -> &'static str {
                match self { $(SimdOp::$op => $name,)+ }
            }

            pub(super) fn from_code(code: iced_x86::Code) -> Option<SimdOp> {
                match code {
                    $($(iced_x86::Code::$code)|+ => Some(SimdOp::$op),)+
                    _ => None,
                }
            }
        }

        impl<E: FpEnv> Machine<'_, E> {
            /// Runs one instruction.
            #[inline]
            pub(super) fn dispatch(&mut self, op: SimdOp) -> Result<(), E::Trap> {
                match op {
                    $(SimdOp::$op => {
                        if Registers::$registers == Registers::Mmx && self.uses_mmx() {
                            if self.x87.pending() {
                                return Err(self.env.math_fault());
                            }
                            self.$handler$(::<$size>)?($($argument),*)?;
                            self.enter_mmx();
                            return Ok(());
                        }
                        self.$handler$(::<$size>)?($($argument),*)
                    })+
                }
            }
        }
    };
}

simd_table! {
    Movaps "movaps" [Movaps_xmm_xmmm128, Movaps_xmmm128_xmm] Sse => move_aligned();
    Movapd "movapd" [Movapd_xmm_xmmm128, Movapd_xmmm128_xmm] Sse => move_aligned();
    Movdqa "movdqa" [Movdqa_xmm_xmmm128, Movdqa_xmmm128_xmm] Sse => move_aligned();
    Movntps "movntps" [Movntps_m128_xmm] Sse => move_aligned();
    Movntpd "movntpd" [Movntpd_m128_xmm] Sse => move_aligned();
    Movntdq "movntdq" [Movntdq_m128_xmm] Sse => move_aligned();
    Movups "movups" [Movups_xmm_xmmm128, Movups_xmmm128_xmm] Sse => move_unaligned();
    Movupd "movupd" [Movupd_xmm_xmmm128, Movupd_xmmm128_xmm] Sse => move_unaligned();
    Movdqu "movdqu" [Movdqu_xmm_xmmm128, Movdqu_xmmm128_xmm] Sse => move_unaligned();
    Lddqu "lddqu" [Lddqu_xmm_m128] Sse => move_unaligned();
    Movss "movss" [Movss_xmm_xmmm32, Movss_xmmm32_xmm] Sse => move_single_lane();
    Movsd "movsd" [Movsd_xmm_xmmm64, Movsd_xmmm64_xmm] Sse => move_double_lane();
    Movlps "movlps" [Movlps_xmm_m64, Movlps_m64_xmm] Sse => move_low();
    Movlpd "movlpd" [Movlpd_xmm_m64, Movlpd_m64_xmm] Sse => move_low();
    Movhps "movhps" [Movhps_xmm_m64, Movhps_m64_xmm] Sse => move_high();
    Movhpd "movhpd" [Movhpd_xmm_m64, Movhpd_m64_xmm] Sse => move_high();
    Movhlps "movhlps" [Movhlps_xmm_xmm] Sse => move_high_to_low();
    Movlhps "movlhps" [Movlhps_xmm_xmm] Sse => move_low_to_high();
    Movmskps "movmskps" [Movmskps_r32_xmm] Sse => sign_mask(32);
    Movmskpd "movmskpd" [Movmskpd_r32_xmm] Sse => sign_mask(64);
    Movd "movd" [Movd_mm_rm32, Movd_xmm_rm32, Movd_rm32_mm, Movd_rm32_xmm] Mmx => move_double();
    Movq "movq" [Movq_mm_mmm64, Movq_mmm64_mm, Movq_xmm_xmmm64, Movq_xmmm64_xmm] Mmx
        => move_quad();
    Movntq "movntq" [Movntq_m64_mm] Mmx => move_quad();
    Movq2dq "movq2dq" [Movq2dq_xmm_mm] Mmx => move_quad();
    Movdq2q "movdq2q" [Movdq2q_mm_xmm] Mmx => move_quad();
    Movnti "movnti" [Movnti_m32_r32] Sse => move_double();
    Maskmovq "maskmovq" [Maskmovq_rDI_mm_mm] Mmx => store_masked();
    Maskmovdqu "maskmovdqu" [Maskmovdqu_rDI_xmm_xmm] Sse => store_masked();

    Addps "addps" [Addps_xmm_xmmm128] Sse => packed(Single, Add);
    Addpd "addpd" [Addpd_xmm_xmmm128] Sse => packed(Double, Add);
    Addss "addss" [Addss_xmm_xmmm32] Sse => scalar(Single, Add);
    Addsd "addsd" [Addsd_xmm_xmmm64] Sse => scalar(Double, Add);
    Subps "subps" [Subps_xmm_xmmm128] Sse => packed(Single, Subtract);
    Subpd "subpd" [Subpd_xmm_xmmm128] Sse => packed(Double, Subtract);
    Subss "subss" [Subss_xmm_xmmm32] Sse => scalar(Single, Subtract);
    Subsd "subsd" [Subsd_xmm_xmmm64] Sse => scalar(Double, Subtract);
    Mulps "mulps" [Mulps_xmm_xmmm128] Sse => packed(Single, Multiply);
    Mulpd "mulpd" [Mulpd_xmm_xmmm128] Sse => packed(Double, Multiply);
    Mulss "mulss" [Mulss_xmm_xmmm32] Sse => scalar(Single, Multiply);
    Mulsd "mulsd" [Mulsd_xmm_xmmm64] Sse => scalar(Double, Multiply);
    Divps "divps" [Divps_xmm_xmmm128] Sse => packed(Single, Divide);
    Divpd "divpd" [Divpd_xmm_xmmm128] Sse => packed(Double, Divide);
    Divss "divss" [Divss_xmm_xmmm32] Sse => scalar(Single, Divide);
    Divsd "divsd" [Divsd_xmm_xmmm64] Sse => scalar(Double, Divide);
    Minps "minps" [Minps_xmm_xmmm128] Sse => packed(Single, Minimum);
    Minpd "minpd" [Minpd_xmm_xmmm128] Sse => packed(Double, Minimum);
    Minss "minss" [Minss_xmm_xmmm32] Sse => scalar(Single, Minimum);
    Minsd "minsd" [Minsd_xmm_xmmm64] Sse => scalar(Double, Minimum);
    Maxps "maxps" [Maxps_xmm_xmmm128] Sse => packed(Single, Maximum);
    Maxpd "maxpd" [Maxpd_xmm_xmmm128] Sse => packed(Double, Maximum);
    Maxss "maxss" [Maxss_xmm_xmmm32] Sse => scalar(Single, Maximum);
    Maxsd "maxsd" [Maxsd_xmm_xmmm64] Sse => scalar(Double, Maximum);
    Sqrtps "sqrtps" [Sqrtps_xmm_xmmm128] Sse => packed(Single, SquareRoot);
    Sqrtpd "sqrtpd" [Sqrtpd_xmm_xmmm128] Sse => packed(Double, SquareRoot);
    Sqrtss "sqrtss" [Sqrtss_xmm_xmmm32] Sse => scalar(Single, SquareRoot);
    Sqrtsd "sqrtsd" [Sqrtsd_xmm_xmmm64] Sse => scalar(Double, SquareRoot);
    Rcpps "rcpps" [Rcpps_xmm_xmmm128] Sse => estimate_packed(Estimate::Reciprocal);
    Rcpss "rcpss" [Rcpss_xmm_xmmm32] Sse => estimate_scalar(Estimate::Reciprocal);
    Rsqrtps "rsqrtps" [Rsqrtps_xmm_xmmm128] Sse
        => estimate_packed(Estimate::ReciprocalSquareRoot);
    Rsqrtss "rsqrtss" [Rsqrtss_xmm_xmmm32] Sse
        => estimate_scalar(Estimate::ReciprocalSquareRoot);
    Cmpps "cmpps" [Cmpps_xmm_xmmm128_imm8] Sse => compare_packed(Single);
    Cmppd "cmppd" [Cmppd_xmm_xmmm128_imm8] Sse => compare_packed(Double);
    Cmpss "cmpss" [Cmpss_xmm_xmmm32_imm8] Sse => compare_scalar(Single);
    Cmpsd "cmpsd" [Cmpsd_xmm_xmmm64_imm8] Sse => compare_scalar(Double);
    Comiss "comiss" [Comiss_xmm_xmmm32] Sse => compare_to_flags(Single, true);
    Comisd "comisd" [Comisd_xmm_xmmm64] Sse => compare_to_flags(Double, true);
    Ucomiss "ucomiss" [Ucomiss_xmm_xmmm32] Sse => compare_to_flags(Single, false);
    Ucomisd "ucomisd" [Ucomisd_xmm_xmmm64] Sse => compare_to_flags(Double, false);

    Cvtsi2ss "cvtsi2ss" [Cvtsi2ss_xmm_rm32] Sse => integer_to_scalar(Single);
    Cvtsi2sd "cvtsi2sd" [Cvtsi2sd_xmm_rm32] Sse => integer_to_scalar(Double);
    Cvtss2si "cvtss2si" [Cvtss2si_r32_xmmm32] Sse => scalar_to_integer(Single, Round);
    Cvttss2si "cvttss2si" [Cvttss2si_r32_xmmm32] Sse => scalar_to_integer(Single, Truncate);
    Cvtsd2si "cvtsd2si" [Cvtsd2si_r32_xmmm64] Sse => scalar_to_integer(Double, Round);
    Cvttsd2si "cvttsd2si" [Cvttsd2si_r32_xmmm64] Sse => scalar_to_integer(Double, Truncate);
    Cvtss2sd "cvtss2sd" [Cvtss2sd_xmm_xmmm32] Sse => single_to_double();
    Cvtsd2ss "cvtsd2ss" [Cvtsd2ss_xmm_xmmm64] Sse => double_to_single();
    Cvtps2pd "cvtps2pd" [Cvtps2pd_xmm_xmmm64] Sse => singles_to_doubles();
    Cvtpd2ps "cvtpd2ps" [Cvtpd2ps_xmm_xmmm128] Sse => doubles_to_singles();
    Cvtdq2ps "cvtdq2ps" [Cvtdq2ps_xmm_xmmm128] Sse => integers_to_singles();
    Cvtps2dq "cvtps2dq" [Cvtps2dq_xmm_xmmm128] Sse => singles_to_integers(Round);
    Cvttps2dq "cvttps2dq" [Cvttps2dq_xmm_xmmm128] Sse => singles_to_integers(Truncate);
    Cvtdq2pd "cvtdq2pd" [Cvtdq2pd_xmm_xmmm64] Sse => integers_to_doubles();
    Cvtpd2dq "cvtpd2dq" [Cvtpd2dq_xmm_xmmm128] Sse => doubles_to_integers(Round);
    Cvttpd2dq "cvttpd2dq" [Cvttpd2dq_xmm_xmmm128] Sse => doubles_to_integers(Truncate);
    Cvtpi2ps "cvtpi2ps" [Cvtpi2ps_xmm_mmm64] Mmx => two_integers_to_singles();
    Cvtps2pi "cvtps2pi" [Cvtps2pi_mm_xmmm64] Mmx => two_singles_to_integers(Round);
    Cvttps2pi "cvttps2pi" [Cvttps2pi_mm_xmmm64] Mmx => two_singles_to_integers(Truncate);
    Cvtpi2pd "cvtpi2pd" [Cvtpi2pd_xmm_mmm64] Mmx => integers_to_doubles();
    Cvtpd2pi "cvtpd2pi" [Cvtpd2pi_mm_xmmm128] Mmx => doubles_to_integers(Round);
    Cvttpd2pi "cvttpd2pi" [Cvttpd2pi_mm_xmmm128] Mmx => doubles_to_integers(Truncate);

    Andps "andps" [Andps_xmm_xmmm128] Sse => combine(|a, b| a & b);
    Andpd "andpd" [Andpd_xmm_xmmm128] Sse => combine(|a, b| a & b);
    Andnps "andnps" [Andnps_xmm_xmmm128] Sse => combine(|a, b| !a & b);
    Andnpd "andnpd" [Andnpd_xmm_xmmm128] Sse => combine(|a, b| !a & b);
    Orps "orps" [Orps_xmm_xmmm128] Sse => combine(|a, b| a | b);
    Orpd "orpd" [Orpd_xmm_xmmm128] Sse => combine(|a, b| a | b);
    Xorps "xorps" [Xorps_xmm_xmmm128] Sse => combine(|a, b| a ^ b);
    Xorpd "xorpd" [Xorpd_xmm_xmmm128] Sse => combine(|a, b| a ^ b);
    Pand "pand" [Pand_mm_mmm64, Pand_xmm_xmmm128] Mmx => combine(|a, b| a & b);
    Pandn "pandn" [Pandn_mm_mmm64, Pandn_xmm_xmmm128] Mmx => combine(|a, b| !a & b);
    Por "por" [Por_mm_mmm64, Por_xmm_xmmm128] Mmx => combine(|a, b| a | b);
    Pxor "pxor" [Pxor_mm_mmm64, Pxor_xmm_xmmm128] Mmx => combine(|a, b| a ^ b);
    Unpcklps "unpcklps" [Unpcklps_xmm_xmmm128] Sse => unpack_low(32);
    Unpcklpd "unpcklpd" [Unpcklpd_xmm_xmmm128] Sse => unpack_low(64);
    Unpckhps "unpckhps" [Unpckhps_xmm_xmmm128] Sse => unpack_high(32);
    Unpckhpd "unpckhpd" [Unpckhpd_xmm_xmmm128] Sse => unpack_high(64);
    Shufps "shufps" [Shufps_xmm_xmmm128_imm8] Sse => shuffle_singles();
    Shufpd "shufpd" [Shufpd_xmm_xmmm128_imm8] Sse => shuffle_doubles();

    Paddb "paddb" [Paddb_mm_mmm64, Paddb_xmm_xmmm128] Mmx => lanes8(u8::wrapping_add);
    Paddw "paddw" [Paddw_mm_mmm64, Paddw_xmm_xmmm128] Mmx => lanes16(u16::wrapping_add);
    Paddd "paddd" [Paddd_mm_mmm64, Paddd_xmm_xmmm128] Mmx => lanes32(u32::wrapping_add);
    Paddq "paddq" [Paddq_mm_mmm64, Paddq_xmm_xmmm128] Mmx => lanes64(u64::wrapping_add);
    Paddsb "paddsb" [Paddsb_mm_mmm64, Paddsb_xmm_xmmm128] Mmx
        => lanes8(|a, b| (a as i8).saturating_add(b as i8) as u8);
    Paddsw "paddsw" [Paddsw_mm_mmm64, Paddsw_xmm_xmmm128] Mmx
        => lanes16(|a, b| (a as i16).saturating_add(b as i16) as u16);
    Paddusb "paddusb" [Paddusb_mm_mmm64, Paddusb_xmm_xmmm128] Mmx => lanes8(u8::saturating_add);
    Paddusw "paddusw" [Paddusw_mm_mmm64, Paddusw_xmm_xmmm128] Mmx
        => lanes16(u16::saturating_add);
    Psubb "psubb" [Psubb_mm_mmm64, Psubb_xmm_xmmm128] Mmx => lanes8(u8::wrapping_sub);
    Psubw "psubw" [Psubw_mm_mmm64, Psubw_xmm_xmmm128] Mmx => lanes16(u16::wrapping_sub);
    Psubd "psubd" [Psubd_mm_mmm64, Psubd_xmm_xmmm128] Mmx => lanes32(u32::wrapping_sub);
    Psubq "psubq" [Psubq_mm_mmm64, Psubq_xmm_xmmm128] Mmx => lanes64(u64::wrapping_sub);
    Psubsb "psubsb" [Psubsb_mm_mmm64, Psubsb_xmm_xmmm128] Mmx
        => lanes8(|a, b| (a as i8).saturating_sub(b as i8) as u8);
    Psubsw "psubsw" [Psubsw_mm_mmm64, Psubsw_xmm_xmmm128] Mmx
        => lanes16(|a, b| (a as i16).saturating_sub(b as i16) as u16);
    Psubusb "psubusb" [Psubusb_mm_mmm64, Psubusb_xmm_xmmm128] Mmx => lanes8(u8::saturating_sub);
    Psubusw "psubusw" [Psubusw_mm_mmm64, Psubusw_xmm_xmmm128] Mmx
        => lanes16(u16::saturating_sub);
    Pmullw "pmullw" [Pmullw_mm_mmm64, Pmullw_xmm_xmmm128] Mmx => lanes16(u16::wrapping_mul);
    Pmulhw "pmulhw" [Pmulhw_mm_mmm64, Pmulhw_xmm_xmmm128] Mmx => lanes16(lanes::multiply_high);
    Pmulhuw "pmulhuw" [Pmulhuw_mm_mmm64, Pmulhuw_xmm_xmmm128] Mmx
        => lanes16(lanes::multiply_high_unsigned);
    Pmuludq "pmuludq" [Pmuludq_mm_mmm64, Pmuludq_xmm_xmmm128] Mmx
        => lanes64(|a, b| u64::from(a as u32) * u64::from(b as u32));
    Pmaddwd "pmaddwd" [Pmaddwd_mm_mmm64, Pmaddwd_xmm_xmmm128] Mmx
        => lanes32(lanes::multiply_add);
    Psadbw "psadbw" [Psadbw_mm_mmm64, Psadbw_xmm_xmmm128] Mmx
        => lanes64(lanes::sum_of_differences);
    Pavgb "pavgb" [Pavgb_mm_mmm64, Pavgb_xmm_xmmm128] Mmx
        => lanes8(|a, b| ((u16::from(a) + u16::from(b) + 1) >> 1) as u8);
    Pavgw "pavgw" [Pavgw_mm_mmm64, Pavgw_xmm_xmmm128] Mmx
        => lanes16(|a, b| ((u32::from(a) + u32::from(b) + 1) >> 1) as u16);
    Pminub "pminub" [Pminub_mm_mmm64, Pminub_xmm_xmmm128] Mmx => lanes8(u8::min);
    Pmaxub "pmaxub" [Pmaxub_mm_mmm64, Pmaxub_xmm_xmmm128] Mmx => lanes8(u8::max);
    Pminsw "pminsw" [Pminsw_mm_mmm64, Pminsw_xmm_xmmm128] Mmx
        => lanes16(|a, b| (a as i16).min(b as i16) as u16);
    Pmaxsw "pmaxsw" [Pmaxsw_mm_mmm64, Pmaxsw_xmm_xmmm128] Mmx
        => lanes16(|a, b| (a as i16).max(b as i16) as u16);
    Pcmpeqb "pcmpeqb" [Pcmpeqb_mm_mmm64, Pcmpeqb_xmm_xmmm128] Mmx
        => lanes8(|a, b| lanes::truth8(a == b));
    Pcmpeqw "pcmpeqw" [Pcmpeqw_mm_mmm64, Pcmpeqw_xmm_xmmm128] Mmx
        => lanes16(|a, b| lanes::truth16(a == b));
    Pcmpeqd "pcmpeqd" [Pcmpeqd_mm_mmm64, Pcmpeqd_xmm_xmmm128] Mmx
        => lanes32(|a, b| lanes::truth32(a == b));
    Pcmpgtb "pcmpgtb" [Pcmpgtb_mm_mmm64, Pcmpgtb_xmm_xmmm128] Mmx
        => lanes8(|a, b| lanes::truth8(a as i8 > b as i8));
    Pcmpgtw "pcmpgtw" [Pcmpgtw_mm_mmm64, Pcmpgtw_xmm_xmmm128] Mmx
        => lanes16(|a, b| lanes::truth16(a as i16 > b as i16));
    Pcmpgtd "pcmpgtd" [Pcmpgtd_mm_mmm64, Pcmpgtd_xmm_xmmm128] Mmx
        => lanes32(|a, b| lanes::truth32(a as i32 > b as i32));
    Packsswb "packsswb" [Packsswb_mm_mmm64, Packsswb_xmm_xmmm128] Mmx
        => pack_words(lanes::saturate_to_i8);
    Packuswb "packuswb" [Packuswb_mm_mmm64, Packuswb_xmm_xmmm128] Mmx
        => pack_words(lanes::saturate_to_u8);
    Packssdw "packssdw" [Packssdw_mm_mmm64, Packssdw_xmm_xmmm128] Mmx
        => pack_doubles(lanes::saturate_to_i16);
    Punpcklbw "punpcklbw" [Punpcklbw_mm_mmm32, Punpcklbw_xmm_xmmm128] Mmx => unpack_low(8);
    Punpcklwd "punpcklwd" [Punpcklwd_mm_mmm32, Punpcklwd_xmm_xmmm128] Mmx => unpack_low(16);
    Punpckldq "punpckldq" [Punpckldq_mm_mmm32, Punpckldq_xmm_xmmm128] Mmx => unpack_low(32);
    Punpcklqdq "punpcklqdq" [Punpcklqdq_xmm_xmmm128] Sse => unpack_low(64);
    Punpckhbw "punpckhbw" [Punpckhbw_mm_mmm64, Punpckhbw_xmm_xmmm128] Mmx => unpack_high(8);
    Punpckhwd "punpckhwd" [Punpckhwd_mm_mmm64, Punpckhwd_xmm_xmmm128] Mmx => unpack_high(16);
    Punpckhdq "punpckhdq" [Punpckhdq_mm_mmm64, Punpckhdq_xmm_xmmm128] Mmx => unpack_high(32);
    Punpckhqdq "punpckhqdq" [Punpckhqdq_xmm_xmmm128] Sse => unpack_high(64);
    Psllw "psllw" [Psllw_mm_mmm64, Psllw_xmm_xmmm128, Psllw_mm_imm8, Psllw_xmm_imm8] Mmx
        => shift(Shift::LeftWord);
    Pslld "pslld" [Pslld_mm_mmm64, Pslld_xmm_xmmm128, Pslld_mm_imm8, Pslld_xmm_imm8] Mmx
        => shift(Shift::LeftDouble);
    Psllq "psllq" [Psllq_mm_mmm64, Psllq_xmm_xmmm128, Psllq_mm_imm8, Psllq_xmm_imm8] Mmx
        => shift(Shift::LeftQuad);
    Psrlw "psrlw" [Psrlw_mm_mmm64, Psrlw_xmm_xmmm128, Psrlw_mm_imm8, Psrlw_xmm_imm8] Mmx
        => shift(Shift::RightWord);
    Psrld "psrld" [Psrld_mm_mmm64, Psrld_xmm_xmmm128, Psrld_mm_imm8, Psrld_xmm_imm8] Mmx
        => shift(Shift::RightDouble);
    Psrlq "psrlq" [Psrlq_mm_mmm64, Psrlq_xmm_xmmm128, Psrlq_mm_imm8, Psrlq_xmm_imm8] Mmx
        => shift(Shift::RightQuad);
    Psraw "psraw" [Psraw_mm_mmm64, Psraw_xmm_xmmm128, Psraw_mm_imm8, Psraw_xmm_imm8] Mmx
        => shift(Shift::SignedWord);
    Psrad "psrad" [Psrad_mm_mmm64, Psrad_xmm_xmmm128, Psrad_mm_imm8, Psrad_xmm_imm8] Mmx
        => shift(Shift::SignedDouble);
    Pslldq "pslldq" [Pslldq_xmm_imm8] Sse => shift_bytes(true);
    Psrldq "psrldq" [Psrldq_xmm_imm8] Sse => shift_bytes(false);
    Pshufw "pshufw" [Pshufw_mm_mmm64_imm8] Mmx
        => rearrange(|value, order| u128::from(lanes::shuffle16(value as u64, order)));
    Pshufd "pshufd" [Pshufd_xmm_xmmm128_imm8] Sse => rearrange(lanes::shuffle32);
    Pshuflw "pshuflw" [Pshuflw_xmm_xmmm128_imm8] Sse => rearrange(|value, order| {
        value >> 64 << 64 | u128::from(lanes::shuffle16(value as u64, order))
    });
    Pshufhw "pshufhw" [Pshufhw_xmm_xmmm128_imm8] Sse => rearrange(|value, order| {
        u128::from(lanes::shuffle16((value >> 64) as u64, order)) << 64 | value << 64 >> 64
    });
    Pextrw "pextrw" [Pextrw_r32_mm_imm8, Pextrw_r32_xmm_imm8, Pextrw_r32m16_xmm_imm8] Mmx
        => extract::<2>();
    Pinsrw "pinsrw" [Pinsrw_mm_r32m16_imm8, Pinsrw_xmm_r32m16_imm8] Mmx => insert::<2>();
    Pmovmskb "pmovmskb" [Pmovmskb_r32_mm, Pmovmskb_r32_xmm] Mmx => sign_mask(8);

    Addsubps "addsubps" [Addsubps_xmm_xmmm128] Sse => alternate(Single);
    Addsubpd "addsubpd" [Addsubpd_xmm_xmmm128] Sse => alternate(Double);
    Haddps "haddps" [Haddps_xmm_xmmm128] Sse => lane_pairs(Single, Add);
    Haddpd "haddpd" [Haddpd_xmm_xmmm128] Sse => lane_pairs(Double, Add);
    Hsubps "hsubps" [Hsubps_xmm_xmmm128] Sse => lane_pairs(Single, Subtract);
    Hsubpd "hsubpd" [Hsubpd_xmm_xmmm128] Sse => lane_pairs(Double, Subtract);
    Movsldup "movsldup" [Movsldup_xmm_xmmm128] Sse
        => rearrange(|value, _| lanes::shuffle32(value, 0b10_10_00_00));
    Movshdup "movshdup" [Movshdup_xmm_xmmm128] Sse
        => rearrange(|value, _| lanes::shuffle32(value, 0b11_11_01_01));
    Movddup "movddup" [Movddup_xmm_xmmm64] Sse => duplicate();

    Pshufb "pshufb" [Pshufb_mm_mmm64, Pshufb_xmm_xmmm128] Mmx => shuffle_bytes();
    Phaddw "phaddw" [Phaddw_mm_mmm64, Phaddw_xmm_xmmm128] Mmx => word_pairs(i16::wrapping_add);
    Phaddd "phaddd" [Phaddd_mm_mmm64, Phaddd_xmm_xmmm128] Mmx => double_pairs(u32::wrapping_add);
    Phaddsw "phaddsw" [Phaddsw_mm_mmm64, Phaddsw_xmm_xmmm128] Mmx
        => word_pairs(i16::saturating_add);
    Phsubw "phsubw" [Phsubw_mm_mmm64, Phsubw_xmm_xmmm128] Mmx => word_pairs(i16::wrapping_sub);
    Phsubd "phsubd" [Phsubd_mm_mmm64, Phsubd_xmm_xmmm128] Mmx => double_pairs(u32::wrapping_sub);
    Phsubsw "phsubsw" [Phsubsw_mm_mmm64, Phsubsw_xmm_xmmm128] Mmx
        => word_pairs(i16::saturating_sub);
    Pmaddubsw "pmaddubsw" [Pmaddubsw_mm_mmm64, Pmaddubsw_xmm_xmmm128] Mmx
        => lanes16(lanes::multiply_add_bytes);
    Pmulhrsw "pmulhrsw" [Pmulhrsw_mm_mmm64, Pmulhrsw_xmm_xmmm128] Mmx
        => lanes16(lanes::multiply_high_rounded);
    Psignb "psignb" [Psignb_mm_mmm64, Psignb_xmm_xmmm128] Mmx
        => lanes8(|a, b| (a as i8).wrapping_mul((b as i8).signum()) as u8);
    Psignw "psignw" [Psignw_mm_mmm64, Psignw_xmm_xmmm128] Mmx
        => lanes16(|a, b| (a as i16).wrapping_mul((b as i16).signum()) as u16);
    Psignd "psignd" [Psignd_mm_mmm64, Psignd_xmm_xmmm128] Mmx
        => lanes32(|a, b| (a as i32).wrapping_mul((b as i32).signum()) as u32);
    Pabsb "pabsb" [Pabsb_mm_mmm64, Pabsb_xmm_xmmm128] Mmx
        => lanes8(|_, b| (b as i8).unsigned_abs());
    Pabsw "pabsw" [Pabsw_mm_mmm64, Pabsw_xmm_xmmm128] Mmx
        => lanes16(|_, b| (b as i16).unsigned_abs());
    Pabsd "pabsd" [Pabsd_mm_mmm64, Pabsd_xmm_xmmm128] Mmx
        => lanes32(|_, b| (b as i32).unsigned_abs());
    Palignr "palignr" [Palignr_mm_mmm64_imm8, Palignr_xmm_xmmm128_imm8] Mmx => align_right();

    Pmulld "pmulld" [Pmulld_xmm_xmmm128] Sse => lanes32(u32::wrapping_mul);
    Pmuldq "pmuldq" [Pmuldq_xmm_xmmm128] Sse
        => lanes64(|a, b| (i64::from(a as i32) * i64::from(b as i32)) as u64);
    Dpps "dpps" [Dpps_xmm_xmmm128_imm8] Sse => dot_product(Single);
    Dppd "dppd" [Dppd_xmm_xmmm128_imm8] Sse => dot_product(Double);
    Movntdqa "movntdqa" [Movntdqa_xmm_m128] Sse => move_aligned();
    Blendps "blendps" [Blendps_xmm_xmmm128_imm8] Sse => blend(32);
    Blendpd "blendpd" [Blendpd_xmm_xmmm128_imm8] Sse => blend(64);
    Pblendw "pblendw" [Pblendw_xmm_xmmm128_imm8] Sse => blend(16);
    Blendvps "blendvps" [Blendvps_xmm_xmmm128] Sse => blend_by_sign(32);
    Blendvpd "blendvpd" [Blendvpd_xmm_xmmm128] Sse => blend_by_sign(64);
    Pblendvb "pblendvb" [Pblendvb_xmm_xmmm128] Sse => blend_by_sign(8);
    Pminsb "pminsb" [Pminsb_xmm_xmmm128] Sse => lanes8(|a, b| (a as i8).min(b as i8) as u8);
    Pmaxsb "pmaxsb" [Pmaxsb_xmm_xmmm128] Sse => lanes8(|a, b| (a as i8).max(b as i8) as u8);
    Pminuw "pminuw" [Pminuw_xmm_xmmm128] Sse => lanes16(u16::min);
    Pmaxuw "pmaxuw" [Pmaxuw_xmm_xmmm128] Sse => lanes16(u16::max);
    Pminud "pminud" [Pminud_xmm_xmmm128] Sse => lanes32(u32::min);
    Pmaxud "pmaxud" [Pmaxud_xmm_xmmm128] Sse => lanes32(u32::max);
    Pminsd "pminsd" [Pminsd_xmm_xmmm128] Sse => lanes32(|a, b| (a as i32).min(b as i32) as u32);
    Pmaxsd "pmaxsd" [Pmaxsd_xmm_xmmm128] Sse => lanes32(|a, b| (a as i32).max(b as i32) as u32);
    Roundps "roundps" [Roundps_xmm_xmmm128_imm8] Sse => round_packed(Single);
    Roundpd "roundpd" [Roundpd_xmm_xmmm128_imm8] Sse => round_packed(Double);
    Roundss "roundss" [Roundss_xmm_xmmm32_imm8] Sse => round_scalar(Single);
    Roundsd "roundsd" [Roundsd_xmm_xmmm64_imm8] Sse => round_scalar(Double);
    Insertps "insertps" [Insertps_xmm_xmmm32_imm8] Sse => insert_single();
    Extractps "extractps" [Extractps_rm32_xmm_imm8] Sse => extract::<4>();
    Pinsrb "pinsrb" [Pinsrb_xmm_r32m8_imm8] Sse => insert::<1>();
    Pinsrd "pinsrd" [Pinsrd_xmm_rm32_imm8] Sse => insert::<4>();
    Pextrb "pextrb" [Pextrb_r32m8_xmm_imm8] Sse => extract::<1>();
    Pextrd "pextrd" [Pextrd_rm32_xmm_imm8] Sse => extract::<4>();
    Pmovsxbw "pmovsxbw" [Pmovsxbw_xmm_xmmm64] Sse => widen_lanes(8, 16, true);
    Pmovsxbd "pmovsxbd" [Pmovsxbd_xmm_xmmm32] Sse => widen_lanes(8, 32, true);
    Pmovsxbq "pmovsxbq" [Pmovsxbq_xmm_xmmm16] Sse => widen_lanes(8, 64, true);
    Pmovsxwd "pmovsxwd" [Pmovsxwd_xmm_xmmm64] Sse => widen_lanes(16, 32, true);
    Pmovsxwq "pmovsxwq" [Pmovsxwq_xmm_xmmm32] Sse => widen_lanes(16, 64, true);
    Pmovsxdq "pmovsxdq" [Pmovsxdq_xmm_xmmm64] Sse => widen_lanes(32, 64, true);
    Pmovzxbw "pmovzxbw" [Pmovzxbw_xmm_xmmm64] Sse => widen_lanes(8, 16, false);
    Pmovzxbd "pmovzxbd" [Pmovzxbd_xmm_xmmm32] Sse => widen_lanes(8, 32, false);
    Pmovzxbq "pmovzxbq" [Pmovzxbq_xmm_xmmm16] Sse => widen_lanes(8, 64, false);
    Pmovzxwd "pmovzxwd" [Pmovzxwd_xmm_xmmm64] Sse => widen_lanes(16, 32, false);
    Pmovzxwq "pmovzxwq" [Pmovzxwq_xmm_xmmm32] Sse => widen_lanes(16, 64, false);
    Pmovzxdq "pmovzxdq" [Pmovzxdq_xmm_xmmm64] Sse => widen_lanes(32, 64, false);
    Mpsadbw "mpsadbw" [Mpsadbw_xmm_xmmm128_imm8] Sse => sums_of_differences();
    Phminposuw "phminposuw" [Phminposuw_xmm_xmmm128] Sse => smallest_word();
    Ptest "ptest" [Ptest_xmm_xmmm128] Sse => test_bits();
    Pcmpeqq "pcmpeqq" [Pcmpeqq_xmm_xmmm128] Sse => lanes64(|a, b| lanes::truth64(a == b));
    Packusdw "packusdw" [Packusdw_xmm_xmmm128] Sse => pack_doubles(lanes::saturate_to_u16);

    Pcmpgtq "pcmpgtq" [Pcmpgtq_xmm_xmmm128] Sse
        => lanes64(|a, b| lanes::truth64(a as i64 > b as i64));
    Pcmpistri "pcmpistri" [Pcmpistri_xmm_xmmm128_imm8] Sse
        => compare_texts(Ends::Implicit, Answer::Index);
    Pcmpistrm "pcmpistrm" [Pcmpistrm_xmm_xmmm128_imm8] Sse
        => compare_texts(Ends::Implicit, Answer::Mask);
    Pcmpestri "pcmpestri" [Pcmpestri_xmm_xmmm128_imm8] Sse
        => compare_texts(Ends::Explicit, Answer::Index);
    Pcmpestrm "pcmpestrm" [Pcmpestrm_xmm_xmmm128_imm8] Sse
        => compare_texts(Ends::Explicit, Answer::Mask);

    Ldmxcsr "ldmxcsr" [Ldmxcsr_m32] Sse => load_mxcsr();
    Stmxcsr "stmxcsr" [Stmxcsr_m32] Sse => store_mxcsr();
    Fxsave "fxsave" [Fxsave_m512byte] Sse => save_state();
    Fxrstor "fxrstor" [Fxrstor_m512byte] Sse => restore_state();
    Emms "emms" [Emms] Sse => leave_mmx();
    Prefetchnta "prefetchnta" [Prefetchnta_m8] Sse => nothing();
    Prefetcht0 "prefetcht0" [Prefetcht0_m8] Sse => nothing();
    Prefetcht1 "prefetcht1" [Prefetcht1_m8] Sse => nothing();
    Prefetcht2 "prefetcht2" [Prefetcht2_m8] Sse => nothing();
    Prefetch "prefetch" [Prefetch_m8] Sse => nothing();
    Prefetchw "prefetchw" [Prefetchw_m8] Sse => nothing();
    Clflush "clflush" [Clflush_m8] Sse => touch();
    Sfence "sfence" [
        Sfence, Sfence_F9, Sfence_FA, Sfence_FB, Sfence_FC, Sfence_FD, Sfence_FE, Sfence_FF
    ] Sse => nothing();
    Lfence "lfence" [
        Lfence, Lfence_E9, Lfence_EA, Lfence_EB, Lfence_EC, Lfence_ED, Lfence_EE, Lfence_EF
    ] Sse => nothing();
    Mfence "mfence" [
        Mfence, Mfence_F1, Mfence_F2, Mfence_F3, Mfence_F4, Mfence_F5, Mfence_F6, Mfence_F7
    ] Sse => nothing();
}
