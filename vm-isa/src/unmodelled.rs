//! What an instruction that is not modelled is called: its mnemonic, the feature of CPUs that it belongs to and
//! the option of gcc and clang that avoids it.

use iced_x86::{CpuidFeature as Feature, Decoder, DecoderOptions, Instruction, Mnemonic};

/// Describes the instruction at the start of `bytes`, which [`crate::decode()`] found to be
/// [`crate::Code::Unsupported`]: `vaddps (AVX; compile with -mno-avx)`. `None`: the bytes are no instruction.
pub fn describe_unmodelled(bytes: &[u8]) -> Option<String> {
    let instruction = Decoder::new(32, bytes, DecoderOptions::NONE).decode();
    if instruction.is_invalid() {
        return None;
    }
    if matches!(instruction.mnemonic(), Mnemonic::Popf | Mnemonic::Popfd) {
        return Some("popf, which starts single steps (the trap flag)".to_owned());
    }
    let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
    Some(match feature(&instruction) {
        Some((feature, option)) => format!("{name} ({feature}; compile with {option})"),
        None => name,
    })
}

/// The first feature that an option leaves out.
fn feature(instruction: &Instruction) -> Option<(String, &'static str)> {
    let features = instruction.cpuid_features();
    features.iter().find_map(|&feature| Some((format!("{feature:?}"), option(feature)?)))
}

fn option(feature: Feature) -> Option<&'static str> {
    use Feature as F;
    Some(match feature {
        F::AVX => "-mno-avx",
        F::AVX2 => "-mno-avx2",
        F::AVX512F | F::AVX512VL | F::AVX512BW | F::AVX512DQ | F::AVX512CD => "-mno-avx512f",
        F::AVX_VNNI => "-mno-avxvnni",
        F::FMA => "-mno-fma",
        F::F16C => "-mno-f16c",
        F::BMI1 => "-mno-bmi",
        F::BMI2 => "-mno-bmi2",
        F::ADX => "-mno-adx",
        F::AES => "-mno-aes",
        F::PCLMULQDQ => "-mno-pclmul",
        F::VAES => "-mno-vaes",
        F::VPCLMULQDQ => "-mno-vpclmulqdq",
        F::SHA => "-mno-sha",
        F::GFNI => "-mno-gfni",
        F::SSE4A => "-mno-sse4a",
        F::RDRAND => "-mno-rdrnd",
        F::RDSEED => "-mno-rdseed",
        F::RDPID => "-mno-rdpid",
        F::XSAVE => "-mno-xsave",
        F::XSAVEC => "-mno-xsavec",
        F::XSAVEOPT => "-mno-xsaveopt",
        F::RTM => "-mno-rtm",
        F::CLFLUSHOPT => "-mno-clflushopt",
        F::CLWB => "-mno-clwb",
        F::CET_SS => "-fcf-protection=none",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_has_the_option_that_avoids_it() {
        for (bytes, text) in [
            (&[0xc5, 0xf4, 0x58, 0xc2][..], "vaddps (AVX; compile with -mno-avx)"),
            (&[0xc4, 0xe2, 0x7d, 0x58, 0xc0], "vpbroadcastd (AVX2; compile with -mno-avx2)"),
            (&[0x62, 0xf1, 0x7d, 0x48, 0xfe, 0xc1], "vpaddd (AVX512F; compile with -mno-avx512f)"),
            (&[0xc4, 0xe2, 0x60, 0xf2, 0xc1], "andn (BMI1; compile with -mno-bmi)"),
            (&[0x66, 0x0f, 0x38, 0xdc, 0xc1], "aesenc (AES; compile with -mno-aes)"),
            (&[0x0f, 0xc7, 0xf0], "rdrand (RDRAND; compile with -mno-rdrnd)"),
            (&[0x0f, 0x01, 0xd0], "xgetbv (XSAVE; compile with -mno-xsave)"),
            (&[0x9d], "popf, which starts single steps (the trap flag)"),
            (&[0xcf], "iretd"),
        ] {
            assert_eq!(describe_unmodelled(bytes).as_deref(), Some(text));
        }
        assert_eq!(describe_unmodelled(&[0x0f, 0xae]), None);
    }
}
