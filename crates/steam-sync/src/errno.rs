//! Error numbers of i386 Linux that operations return.

/// Not permitted: the caller does not own the mutex.
pub const EPERM: i32 = 1;
/// Try again: a semaphore is 0, or a recursive mutex has been locked too often.
pub const EAGAIN: i32 = 11;
/// Busy: what was tried is held.
pub const EBUSY: i32 = 16;
/// An invalid argument.
pub const EINVAL: i32 = 22;
/// The caller would wait for itself.
pub const EDEADLK: i32 = 35;
/// A semaphore cannot count any further.
pub const EOVERFLOW: i32 = 75;
/// What is asked for is not supported.
pub const ENOTSUP: i32 = 95;
/// The time of a timed operation is over.
pub const ETIMEDOUT: i32 = 110;
/// The last owner of a robust mutex ended while it held the mutex.
pub const EOWNERDEAD: i32 = 130;
/// A robust mutex was given up while its data were inconsistent.
pub const ENOTRECOVERABLE: i32 = 131;
