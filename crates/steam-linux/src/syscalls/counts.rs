//! Reads that take a number, 8 bytes long: how much was added to an `eventfd`, how often a `timerfd` expired. And what
//! a call answers that has to wait at a descriptor.

use super::Call;
use crate::errno::Errno;
use crate::guest::Refusal;
use crate::kernel::{Reason, Waiting};

/// How many bytes a number has.
pub(super) const SIZE: usize = 8;

/// The bytes of a `read` of so many: what there is to take, or else the reason to wait.
pub(super) fn read(
    call: &mut Call<'_>,
    size: usize,
    blocks: bool,
    take: impl FnOnce(&mut Call<'_>) -> Result<Result<u64, Reason>, Errno>,
) -> Result<Vec<u8>, Refusal> {
    if size < SIZE {
        return Err(Errno::EINVAL.into());
    }
    match take(call)? {
        Ok(count) => Ok(count.to_le_bytes().to_vec()),
        Err(reason) => Err(wait(reason, blocks)),
    }
}

/// The answer of a call that cannot be done yet: who does not want to wait is told so.
pub(super) fn wait(reason: Reason, blocks: bool) -> Refusal {
    match blocks {
        true => Refusal::Wait(Waiting { reason, deadline: None }),
        false => Errno::EAGAIN.into(),
    }
}
