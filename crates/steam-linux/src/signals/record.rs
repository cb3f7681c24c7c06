//! A signal as `signalfd` reports it: `struct signalfd_siginfo`.

use super::number;
use crate::kernel::SignalInfo;

/// How many bytes a record has.
pub const RECORD_SIZE: usize = 128;
/// `si_code` of a signal of a timer.
const OF_TIMER: i32 = -2;

/// Positions of fields, in bytes.
mod at {
    pub const CODE: usize = 8;
    pub const PROCESS: usize = 12;
    pub const USER: usize = 16;
    pub const TIMER: usize = 24;
    pub const OVERRUN: usize = 32;
    pub const STATUS: usize = 40;
    pub const VALUE: usize = 44;
    pub const POINTER: usize = 48;
}

/// The bytes of a signal's record.
pub fn record_bytes(info: &SignalInfo) -> [u8; RECORD_SIZE] {
    let mut bytes = [0; RECORD_SIZE];
    let mut put = |at: usize, value: u32| bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    let [first, second, third] = info.fields;
    put(0, u32::from(info.number));
    put(at::CODE, info.code as u32);
    // Which fields there are depends on who sent it.
    let fields = match (info.code, info.number) {
        (OF_TIMER, _) => [at::TIMER, at::OVERRUN, at::VALUE],
        (1.., number::CHLD) => [at::PROCESS, at::USER, at::STATUS],
        _ => [at::PROCESS, at::USER, at::VALUE],
    };
    for (at, value) in fields.into_iter().zip([first, second, third]) {
        put(at, value);
        if at == at::VALUE {
            put(at::POINTER, value);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_child_has_a_status_and_no_value() {
        let info = SignalInfo { number: number::CHLD, code: 1, fields: [7, 0, 3], trap: [0; 3] };
        let bytes = record_bytes(&info);
        let set: Vec<usize> = (0..RECORD_SIZE).filter(|&at| bytes[at] != 0).collect();
        assert_eq!(set, [0, at::CODE, at::PROCESS, at::STATUS]);
    }

    #[test]
    fn what_is_queued_comes_with_a_value() {
        let info = SignalInfo { number: 34, code: -1, fields: [7, 0, 9], trap: [0; 3] };
        let bytes = record_bytes(&info);
        assert_eq!((bytes[at::VALUE], bytes[at::POINTER], bytes[at::STATUS]), (9, 9, 0));
    }
}
