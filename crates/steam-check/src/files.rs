//! What a program reads of our files is kept in its trails by digests: a replay that finds others says so.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use steam_linux::world::Host;
use steam_trail::{Setting, Trail, sha256};

use crate::recorded::{file_setting, files_of};

/// The settings that say which files were read, and what they were.
pub(crate) fn files_read(host: &Host) -> Vec<Setting> {
    let read = host.read_so_far().into_iter();
    read.map(|(path, content)| file_setting(&sha256(&content), &path)).collect()
}

/// Which files are not any more what they were when a trail was made.
pub(crate) fn files_changed(host: &Host, trail: &Trail) -> Vec<String> {
    let changed = |(digest, path): (&[u8], &[u8])| {
        let path: Arc<[u8]> = path.into();
        // An executable that was compiled for the replay has its own digest.
        let same = host.content(&path).is_ok_and(|now| sha256(&now).as_bytes() == digest);
        let name = Path::new(OsStr::from_bytes(&path)).display().to_string();
        (!same).then(|| {
            format!("{name}, which the program reads, has changed since the trail was made")
        })
    };
    files_of(trail).filter_map(changed).collect()
}
