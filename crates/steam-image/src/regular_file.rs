//! Reads files that others name: regular ones alone, up to a limit, and without waiting. A pipe
//! without a writer, a device or `/proc/kmsg` would be read for ever.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// `O_NONBLOCK`, which lets opening and reading fail where they would wait.
const NO_WAIT: i32 = 0o4000;

/// Opens a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).custom_flags(NO_WAIT).open(path)?;
    // Asked of what is open: by now the path may name something else.
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")),
    }
}

/// The bytes of a regular file that has at most `most` of them.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A file may grow, and those in /proc have no size: the limit holds for what is really read.
    open_regular(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => {
            let why = format!("it has more than {most} bytes");
            Err(io::Error::new(io::ErrorKind::FileTooLarge, why))
        }
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_not_read() {
        for path in ["/dev/zero", "/dev/tty", "/dev", "/nowhere"] {
            assert!(read_regular(Path::new(path), 100).is_err(), "{path}");
        }
        let own = Path::new(file!()).file_name().unwrap();
        let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(own);
        let bytes = std::fs::read(&own).unwrap();
        assert_eq!(read_regular(&own, bytes.len() as u64).unwrap(), bytes);
        let longer = read_regular(&own, bytes.len() as u64 - 1).unwrap_err();
        assert_eq!(longer.kind(), io::ErrorKind::FileTooLarge);
    }
}
