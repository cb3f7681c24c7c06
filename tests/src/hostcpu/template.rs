//! Instruction templates in the notation of the processor manuals, and their encoder.
//!
//! A template is a list of words: `0f` a literal byte; `50+r` a byte plus a random register;
//! `40+c` a byte plus a random condition; `/r` and `/0`..`/7` a ModRM byte with random or given
//! register field, followed by `.reg` or `.mem` when only that form exists; `ib iw id` immediates;
//! `iv` an immediate of the operand size; `o16?` an operand-size prefix in half of the encodings;
//! `lock?` a lock prefix in some of the memory forms; `moffs` an absolute address in the window.
//! Memory operands get a random addressing mode, some of them with a segment prefix.

use super::address::{Address, AddressSpace};
use super::case::CODE_SIZE;
use super::random::Random;

/// A parsed template.
pub struct Template {
    words: Vec<Word>,
}

enum Word {
    Literal(u8),
    PlusRegister(u8),
    PlusCondition(u8),
    ModRm { field: Option<u8>, form: Form },
    Immediate(usize),
    ImmediateOfOperandSize,
    MaybeOperand16,
    MaybeLock,
    AbsoluteAddress,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Any,
    Register,
    Memory,
}

/// What the encoder must respect.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Registers (by bit) that no address may use.
    pub reserved: u8,
    /// Whether the register named by the ModRM register field is reserved too.
    pub reserve_field: bool,
    /// How many bytes the memory operand may have.
    pub bytes: usize,
    /// Alignment of the memory operand.
    pub alignment: usize,
}

/// One encoding of a template.
#[derive(Clone)]
pub struct Encoding {
    /// The bytes; only the first `length` count.
    pub code: [u8; CODE_SIZE],
    /// Number of bytes.
    pub length: usize,
    /// Position of the first byte that is not a legacy prefix.
    pub opcode_at: usize,
    /// Whether the operand size is 16 bits.
    pub operand16: bool,
    /// Register field of the ModRM byte, or the register of a `+r` word.
    pub field: u8,
    /// Register of the register form.
    pub rm_register: Option<u8>,
    /// What the address prefixes say.
    pub space: AddressSpace,
    /// The memory operand.
    pub address: Option<Address>,
}

impl Template {
    /// Parses a template.
    ///
    /// # Panics
    /// When a word is not known: the table that holds it is wrong.
    pub fn parse(text: &str) -> Self {
        Self { words: text.split_whitespace().map(parse_word).collect() }
    }

    /// Whether an encoding can touch memory.
    pub fn has_memory(&self) -> bool {
        self.words.iter().any(|word| {
            matches!(word, Word::AbsoluteAddress)
                || matches!(word, Word::ModRm { form, .. } if *form != Form::Register)
        })
    }

    /// Returns a random encoding.
    pub fn encode(&self, limits: Limits, random: &mut Random) -> Encoding {
        let memory_form = self.words.iter().any(|word| match word {
            Word::ModRm { form: Form::Memory, .. } | Word::AbsoluteAddress => true,
            Word::ModRm { form: Form::Any, .. } => random.one_in(2),
            _ => false,
        });
        let mut out = Encoding {
            code: [0; CODE_SIZE],
            length: 0,
            opcode_at: 0,
            operand16: false,
            field: 0,
            rm_register: None,
            space: AddressSpace::default(),
            address: None,
        };
        if memory_form && random.one_in(8) {
            out.append_address_prefixes(random);
        }
        let mut opcode_seen = false;
        for word in &self.words {
            if !opcode_seen && !word.is_prefix() {
                opcode_seen = true;
                out.opcode_at = out.length;
            }
            out.append(word, memory_form, limits, random);
        }
        out
    }
}

impl Word {
    fn is_prefix(&self) -> bool {
        match self {
            Word::MaybeOperand16 | Word::MaybeLock => true,
            Word::Literal(byte) => {
                matches!(byte, 0x26 | 0x2e | 0x36 | 0x3e | 0x64..=0x67 | 0xf0 | 0xf2 | 0xf3)
            }
            _ => false,
        }
    }
}

fn parse_word(text: &str) -> Word {
    let byte = |text| u8::from_str_radix(text, 16).unwrap_or_else(|_| panic!("word `{text}`"));
    match text {
        "ib" => Word::Immediate(1),
        "iw" => Word::Immediate(2),
        "id" => Word::Immediate(4),
        "iv" => Word::ImmediateOfOperandSize,
        "o16?" => Word::MaybeOperand16,
        "lock?" => Word::MaybeLock,
        "moffs" => Word::AbsoluteAddress,
        _ => match text.strip_prefix('/') {
            Some(modrm) => parse_modrm(modrm),
            None => match text.split_once('+') {
                Some((base, "r")) => Word::PlusRegister(byte(base)),
                Some((base, "c")) => Word::PlusCondition(byte(base)),
                Some(_) => panic!("word `{text}`"),
                None => Word::Literal(byte(text)),
            },
        },
    }
}

fn parse_modrm(text: &str) -> Word {
    let (field, form) = text.split_once('.').unwrap_or((text, ""));
    Word::ModRm {
        field: match field {
            "r" => None,
            digit => Some(digit.parse().unwrap_or_else(|_| panic!("ModRM `{text}`"))),
        },
        form: match form {
            "" => Form::Any,
            "reg" => Form::Register,
            "mem" => Form::Memory,
            _ => panic!("ModRM `{text}`"),
        },
    }
}

impl Encoding {
    /// The last `N` bytes, which hold an immediate or a relative address.
    pub fn tail<const N: usize>(&mut self) -> &mut [u8; N] {
        let tail = self.code[..self.length].last_chunk_mut();
        tail.expect("the template ends in an immediate of that size")
    }

    pub(super) fn push(&mut self, byte: u8) {
        self.code[self.length] = byte;
        self.length += 1;
    }

    pub(super) fn push_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.push(byte));
    }

    fn append(&mut self, word: &Word, memory_form: bool, limits: Limits, random: &mut Random) {
        match *word {
            Word::Literal(byte) => self.push(byte),
            Word::PlusRegister(byte) => {
                self.field = random.below(8) as u8;
                self.push(byte + self.field);
            }
            Word::PlusCondition(byte) => self.push(byte + random.below(16) as u8),
            Word::Immediate(size) => self.push_bytes(&random.integer().to_le_bytes()[..size]),
            Word::ImmediateOfOperandSize => {
                let size = if self.operand16 { 2 } else { 4 };
                self.push_bytes(&random.integer().to_le_bytes()[..size]);
            }
            Word::MaybeOperand16 => {
                self.operand16 = random.one_in(2);
                if self.operand16 {
                    self.push(0x66);
                }
            }
            Word::MaybeLock if memory_form && random.one_in(4) => self.push(0xf0),
            Word::MaybeLock => {}
            Word::AbsoluteAddress => {
                let address = Address::absolute(self.space, None, limits, random);
                self.push_bytes(address.displacement_bytes());
                self.address = Some(address);
            }
            Word::ModRm { field, .. } => {
                self.field = field.unwrap_or_else(|| random.below(8) as u8);
                if memory_form {
                    self.append_memory(limits, random);
                } else {
                    let register = random.below(8) as u8;
                    self.rm_register = Some(register);
                    self.push(0xc0 | self.field << 3 | register);
                }
            }
        }
    }
}
