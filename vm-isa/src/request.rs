//! What a guest may ask of the checker, by instructions that do nothing on a real CPU.
//!
//! A request is `0f 1f 80` (a long `nop`) with the displacement `'S' 'T' number 0`; its arguments
//! are in ecx and edx. The guest sets eax to 0 before it. A request with a result leaves it in eax,
//! so that the guest sees 0 on a real CPU. The header `toolchain/include/steam.h` writes them.

/// One table makes the enumeration, its numbers and its names.
macro_rules! requests {
    ($($(#[$meaning:meta])* $variant:ident = $number:literal, $name:literal, $result:literal;)*) => {
        /// The requests that are understood.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Request {
            $($(#[$meaning])* $variant = $number,)*
        }

        impl Request {
            /// All requests, in the order of their numbers.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The request with that number.
            pub fn from_number(number: u8) -> Option<Self> {
                match number {
                    $($number => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The function of `steam.h` that makes it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Says whether it sets eax; the others leave all registers as they are.
            pub fn has_result(self) -> bool {
                match self {
                    $(Self::$variant => $result,)*
                }
            }
        }
    };
}

requests! {
    /// The condition ecx must not be zero. edx is the address of its text, or 0.
    Assert = 1, "steam_assert", false;
    /// Waits until no thread holds the lock named by the address ecx, then holds it. eax becomes 1:
    /// on a real CPU it stays 0, and the guest locks by itself.
    Lock = 2, "steam_lock", true;
    /// Gives back the lock named by the address ecx. eax becomes 1, as for `Lock`.
    Unlock = 3, "steam_unlock", true;
    /// What follows is one step, up to the `EndAtomic` that belongs to it. Pairs nest.
    BeginAtomic = 4, "steam_begin_atomic", false;
    /// Ends what the last open `BeginAtomic` began.
    EndAtomic = 5, "steam_end_atomic", false;
    /// Chooses: eax becomes any number from 0 up to and including ecx (unsigned).
    Toss = 6, "steam_toss", true;
    /// Nothing that follows is of interest if the condition ecx is zero: the path ends here,
    /// and that is no error. edx is the address of its text, or 0.
    Assume = 7, "steam_assume", false;
    /// The thread gets on: a cycle over this is no livelock.
    Progress = 8, "steam_progress", false;
    /// What follows is said to be one operation on the object at the address ecx, up to the
    /// `EndOperation` that belongs to it. Pairs nest.
    BeginOperation = 9, "steam_begin_operation", false;
    /// Ends what the last open `BeginOperation` began.
    EndOperation = 10, "steam_end_operation", false;
    /// From now on only this thread touches the edx bytes at the address ecx.
    Unshared = 11, "steam_unshared", false;
    /// Others may touch them again.
    Shared = 12, "steam_shared", false;
    /// The edx bytes at the address ecx are accessed atomically.
    Atomic = 13, "steam_atomic", false;
}

/// The instruction that makes a request.
pub fn bytes(request: Request) -> [u8; 7] {
    [0x0f, 0x1f, 0x80, b'S', b'T', request as u8, 0]
}

/// The number of a request, if a `nop`'s displacement is one.
pub fn number(displacement: u32) -> Option<u8> {
    let [s, t, number, zero] = displacement.to_le_bytes();
    (s == b'S' && t == b'T' && zero == 0).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = include_str!("../../toolchain/include/steam.h");
    const SPEC: &str = include_str!("../SPEC.md");

    #[test]
    fn numbers_come_back() {
        for &request in Request::ALL {
            assert_eq!(Request::from_number(request as u8), Some(request));
        }
        assert_eq!(Request::from_number(0), None);
        assert_eq!(Request::from_number(Request::ALL.len() as u8 + 1), None);
    }

    /// Guests are compiled with the header: it must write the same numbers.
    #[test]
    fn the_header_and_the_specification_agree() {
        for &request in Request::ALL {
            let (name, number) = (request.name(), request as u8);
            let constant = name.to_uppercase().replacen("STEAM_", "STEAM_REQUEST_", 1);
            let line = format!("#define {constant} \"{number}\"");
            assert!(HEADER.lines().any(|found| found == line), "steam.h has no line {line}");
            let row = format!("| {number} | `{name}` |");
            assert!(SPEC.lines().any(|found| found.starts_with(&row)), "SPEC.md: no row {row}");
        }
    }

    #[test]
    fn only_our_displacements_are_requests() {
        assert_eq!(number(u32::from_le_bytes([b'S', b'T', 6, 0])), Some(6));
        assert_eq!(number(u32::from_le_bytes([b'S', b'T', 6, 1])), None);
        assert_eq!(number(u32::from_le_bytes([b'T', b'S', 6, 0])), None);
        assert_eq!(number(0), None);
    }
}
