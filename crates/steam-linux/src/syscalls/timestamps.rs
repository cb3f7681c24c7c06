//! The times of access and modification that files show.

use super::names::{inode_of_descriptor, inode_to_change};
use super::{Answer, Call, WORKING_DIRECTORY};
use crate::guest::GuestMemory;
use crate::kernel::Timestamp;
use crate::world::START_SECONDS;

const NO_FOLLOW: u32 = 0x100;

pub(super) fn utime(call: &mut Call<'_>) -> Answer {
    let [path, times, ..] = call.arguments;
    let times = match times {
        0 => None,
        _ => Some(
            call.words::<2>(times)?
                .map(|seconds| Timestamp { seconds: i64::from(seconds as i32), nanoseconds: 0 }),
        ),
    };
    set_times(call, WORKING_DIRECTORY, path, true, times)
}

pub(super) fn utimes(call: &mut Call<'_>) -> Answer {
    let [path, times, ..] = call.arguments;
    let times = match times {
        0 => None,
        _ => {
            let [s0, u0, s1, u1] = call.words(times)?;
            Some([(s0, u0), (s1, u1)].map(|(seconds, micros)| Timestamp {
                seconds: i64::from(seconds as i32),
                nanoseconds: micros.wrapping_mul(1000),
            }))
        }
    };
    set_times(call, WORKING_DIRECTORY, path, true, times)
}

pub(super) fn utimensat(call: &mut Call<'_>) -> Answer {
    let [directory, path, times, flags, ..] = call.arguments;
    let times = match times {
        0 => None,
        _ => {
            let [s0, n0, s1, n1] = call.words(times)?;
            Some([(s0, n0), (s1, n1)].map(|(seconds, nanoseconds)| Timestamp {
                seconds: i64::from(seconds as i32),
                nanoseconds,
            }))
        }
    };
    set_times(call, directory, path, flags & NO_FOLLOW == 0, times)
}

pub(super) fn utimensat_time64(call: &mut Call<'_>) -> Answer {
    let [directory, path, times, flags, ..] = call.arguments;
    let times = match times {
        0 => None,
        _ => {
            let [l0, h0, n0, _, l1, h1, n1, _] = call.words(times)?;
            Some([(l0, h0, n0), (l1, h1, n1)].map(|(low, high, nanoseconds)| Timestamp {
                seconds: (u64::from(high) << 32 | u64::from(low)) as i64,
                nanoseconds,
            }))
        }
    };
    set_times(call, directory, path, flags & NO_FOLLOW == 0, times)
}

/// Sets the times of access and modification; `None` means now.
fn set_times(
    call: &mut Call<'_>,
    directory: u32,
    path: u32,
    follow: bool,
    times: Option<[Timestamp; 2]>,
) -> Answer {
    const NOW: u32 = 0x3fff_ffff;
    const OMIT: u32 = 0x3fff_fffe;
    let number = if path == 0 {
        inode_of_descriptor(call, directory)?
    } else {
        let (path, node) = call.walk_existing(directory, path, follow)?;
        inode_to_change(call, &path, &node)?
    };
    let now = call.system.now();
    let choose = |wanted: Timestamp, old: &mut Timestamp| match wanted.nanoseconds {
        OMIT => {}
        NOW => *old = now,
        _ => *old = wanted,
    };
    let [accessed, modified] = times.unwrap_or([now, now]);
    call.system.kernel.overlay.change(number, |inode| {
        choose(accessed, &mut inode.accessed);
        choose(modified, &mut inode.modified);
    });
    Ok(0)
}

impl crate::system::System {
    /// What the real-time clock says.
    pub fn now(&self) -> Timestamp {
        let nanoseconds = self.kernel.clock;
        Timestamp {
            seconds: (START_SECONDS + nanoseconds / 1_000_000_000) as i64,
            nanoseconds: (nanoseconds % 1_000_000_000) as u32,
        }
    }
}
