//! The error numbers that system calls answer with.

/// An error number of Linux.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Errno(pub u16);

impl Errno {
    /// What a system call leaves in eax for this error.
    pub const fn result(self) -> u32 {
        (self.0 as u32).wrapping_neg()
    }
}

macro_rules! numbers {
    ($($name:ident = $number:literal, $meaning:literal;)*) => {
        impl Errno {
            $(#[doc = $meaning] pub const $name: Errno = Errno($number);)*
        }
    };
}

numbers! {
    EPERM = 1, "Operation not permitted.";
    ENOENT = 2, "No such file or directory.";
    ESRCH = 3, "No such process.";
    EINTR = 4, "Interrupted by a signal.";
    EIO = 5, "Input or output error.";
    ENXIO = 6, "No such device.";
    E2BIG = 7, "Too long.";
    EBADF = 9, "Bad file descriptor.";
    ECHILD = 10, "No child processes.";
    EAGAIN = 11, "Try again.";
    ENOMEM = 12, "Out of memory.";
    EACCES = 13, "Permission denied.";
    EFAULT = 14, "Bad address.";
    EBUSY = 16, "Busy.";
    EEXIST = 17, "File exists.";
    ENODEV = 19, "No such device.";
    ENOTDIR = 20, "Not a directory.";
    EISDIR = 21, "Is a directory.";
    EINVAL = 22, "Invalid argument.";
    EMFILE = 24, "Too many open files.";
    ENOTTY = 25, "Not a terminal.";
    EFBIG = 27, "File too large.";
    ENOSPC = 28, "No space left on device.";
    ESPIPE = 29, "Illegal seek.";
    EPIPE = 32, "Broken pipe.";
    ERANGE = 34, "Result too large.";
    EDEADLK = 35, "It would wait for itself.";
    ENAMETOOLONG = 36, "File name too long.";
    ENOSYS = 38, "No such system call.";
    ENOTEMPTY = 39, "Directory not empty.";
    ELOOP = 40, "Too many symbolic links.";
    ENOMSG = 42, "No message of the wanted type.";
    EIDRM = 43, "It was removed.";
    EOVERFLOW = 75, "Value too large.";
    ENOTSOCK = 88, "Not a socket.";
    EDESTADDRREQ = 89, "It is not said to whom.";
    EMSGSIZE = 90, "Message too long.";
    EPROTOTYPE = 91, "A socket of another kind.";
    ENOPROTOOPT = 92, "No such option.";
    EPROTONOSUPPORT = 93, "No such protocol.";
    ESOCKTNOSUPPORT = 94, "No such kind of socket.";
    ENOTSUP = 95, "Not supported.";
    EAFNOSUPPORT = 97, "Another family of addresses.";
    EADDRINUSE = 98, "The address is in use.";
    ECONNRESET = 104, "The other end is gone.";
    EISCONN = 106, "It is connected.";
    ENOTCONN = 107, "Not connected.";
    ETIMEDOUT = 110, "Timed out.";
    ETOOMANYREFS = 109, "Too many descriptors on their way.";
    ECONNREFUSED = 111, "No socket listens.";
    EINPROGRESS = 115, "It has begun.";
}
