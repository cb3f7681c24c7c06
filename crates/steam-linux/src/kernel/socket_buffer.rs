//! How much the buffer of a socket holds, as far as that is the same on every machine.
//!
//! A program asks for a size, and Linux doubles it, up to what the administrator allows. What a UNIX socket
//! holds follows from that exactly. A TCP connection for which that was set holds what the window and the
//! path of its packets make of it, and a UDP socket loses what comes too much, depending on how it was read
//! before. For those two a part is known for certain, and beyond it nothing is said.

/// What a socket has that says nothing else.
pub const DEFAULT_SIZE: u32 = 212_992;
/// The largest doubled size on every machine, and on machines of today: `net.core.wmem_max`, `rmem_max`.
const LARGEST_EVERYWHERE: u32 = 2 * 212_992;
const LARGEST_TODAY: u32 = 2 * 4_194_304;
/// The smallest doubled sizes.
const SMALLEST_SENT: u32 = 4608;
const SMALLEST_RECEIVED: u32 = 2304;

/// The size that Linux makes of one that a program asks for, to send or to receive.
pub fn granted(asked: u32, sends: bool) -> u32 {
    let smallest = if sends { SMALLEST_SENT } else { SMALLEST_RECEIVED };
    (asked.min(LARGEST_TODAY / 2) * 2).max(smallest)
}

/// Whether a size that was granted depends on what the administrator allows.
pub fn is_machine_dependent(size: u32) -> bool {
    size > LARGEST_EVERYWHERE
}

/// How much a buffer takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Room {
    /// So much on every machine.
    pub certain: u32,
    /// Whether it may be more.
    pub vague: bool,
}

impl Room {
    /// The room that a UNIX socket has for what it sends, by the size that was granted; 0 if none was.
    pub fn of_unix(granted: u32) -> Self {
        match granted {
            0 => Self { certain: DEFAULT_SIZE, vague: false },
            size => {
                Self { certain: size.min(LARGEST_EVERYWHERE), vague: is_machine_dependent(size) }
            }
        }
    }

    /// The bytes that a TCP connection holds in one direction, by the sizes that were granted to the ends.
    pub fn of_connection(sender: u32, receiver: u32) -> Self {
        /// Linux lets it grow to a few times that.
        const USUAL: u32 = 1 << 20;
        /// The sender's buffer grows by itself, to more than that.
        const SENDER_GROWS: u32 = 1 << 16;
        match (sender, receiver) {
            (0, 0) => Self { certain: USUAL, vague: false },
            (0, _) => Self { certain: SENDER_GROWS, vague: true },
            // Linux 6.18 takes at least 0.45 of it, for any sizes of packets and of the receiver's buffer.
            (size, _) => Self { certain: size.min(LARGEST_EVERYWHERE) / 8 * 3, vague: true },
        }
    }

    /// Whether there is room for more, beside what takes so much; `None` if that is not known.
    pub fn beside(self, taken: u32) -> Option<bool> {
        match taken < self.certain {
            true => Some(true),
            false if self.vague => None,
            false => Some(false),
        }
    }

    /// Whether there is so much room that waiting for more would be no use; `None` if that is not known.
    pub fn much_beside(self, taken: u32) -> Option<bool> {
        Self { certain: self.certain / 4 + 1, ..self }.beside(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_doubled_within_limits() {
        assert_eq!((granted(0, true), granted(0, false)), (4608, 2304));
        assert_eq!((granted(10_000, true), granted(2000, false)), (20_000, 4000));
        assert_eq!(granted(-5_i32 as u32, true), 8_388_608, "the largest one");
        assert!(!is_machine_dependent(granted(212_992, true)));
        assert!(is_machine_dependent(granted(212_993, true)));
    }

    #[test]
    fn beyond_what_is_certain_nothing_is_said() {
        let usual = Room::of_unix(0);
        assert_eq!((usual.beside(212_991), usual.beside(212_992)), (Some(true), Some(false)));
        assert_eq!(
            (usual.much_beside(53_248), usual.much_beside(53_249)),
            (Some(true), Some(false))
        );
        let large = Room::of_unix(granted(1 << 20, true));
        assert_eq!((large.beside(425_983), large.beside(425_984)), (Some(true), None));
        assert_eq!(Room::of_connection(4608, 0).beside(2000), None);
        assert_eq!(Room::of_connection(4608, 0).beside(1000), Some(true));
    }
}
