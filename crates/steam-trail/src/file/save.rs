//! Files that are written: tried before the work is done, whole or not there at all. A trail that cannot be written
//! to its place goes to the temporary directory.

use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::write;
use crate::report::Report;
use crate::trail::Trail;

/// Why a file cannot be written.
#[derive(Debug)]
pub struct WriteError {
    path: PathBuf,
    why: io::Error,
}

impl WriteError {
    fn new(path: &Path, why: io::Error) -> Self {
        Self { path: path.to_owned(), why }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "cannot write {}: {}", self.path.display(), self.why)
    }
}

impl std::error::Error for WriteError {}

/// Tries, before the work is done, whether its result can be written to a file; leaves the file as it is.
pub fn try_file(path: &Path) -> Result<(), WriteError> {
    let tried = match std::fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::Error::other("it is a directory")),
        Ok(there) if there.is_file() => OpenOptions::new().append(true).open(path).map(|_| ()),
        // Opening a pipe waits for its reader, and may be seen at the other end.
        Ok(_) => Ok(()),
        Err(_) => OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(path)
            .and_then(|_| std::fs::remove_file(path)),
    };
    tried.map_err(|why| WriteError::new(path, why))
}

/// Writes a file; the error names it.
pub fn write_file(path: &Path, text: &str) -> Result<(), WriteError> {
    open_for_writing(path)
        .and_then(|file| fill(file, path, text))
        .map_err(|why| WriteError::new(path, why))
}

/// Opens a file, as `File::create` does, but for a pipe without a reader, which would have to be waited for.
fn open_for_writing(path: &Path) -> io::Result<File> {
    const NO_WAIT: i32 = 0o4000;
    const NO_READER: i32 = 6;
    let mut options = OpenOptions::new();
    let opened = options.write(true).create(true).truncate(true).custom_flags(NO_WAIT).open(path);
    opened.map_err(|error| match error.raw_os_error() {
        Some(NO_READER) => io::Error::new(error.kind(), "it is a pipe without a reader"),
        _ => error,
    })
}

/// Writes a file that is open. Half a file is worse than none.
fn fill(mut file: File, path: &Path, text: &str) -> io::Result<()> {
    let written = write_all(&mut file, text.as_bytes());
    if written.is_err() && file.metadata().is_ok_and(|kind| kind.is_file()) {
        let _ = std::fs::remove_file(path);
    }
    written
}

/// Writes all bytes; whoever reads a pipe has to take some of them in time.
fn write_all(file: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(10);
    let mut last = Instant::now();
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                bytes = &bytes[count..];
                last = Instant::now();
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                if last.elapsed() > PATIENCE {
                    return Err(io::Error::new(error.kind(), "whoever reads it does not go on"));
                }
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Writes each trail of a report to a file of its own, whose name the report then tells: `glob.trail`, then
/// `glob-2.trail` and so on.
pub fn save_trails(report: &mut Report, first: &Path) {
    let trails = report.findings_mut().filter_map(|finding| finding.trail.as_mut());
    let mut notes = Vec::new();
    for (index, recorded) in trails.enumerate() {
        match save_trail(&trail_file(first, index), &recorded.trail, &mut notes) {
            Ok(path) => recorded.file = Some(path.to_string_lossy().into_owned()),
            Err(error) => notes.push(format!("a trail is lost: {error}")),
        }
    }
    report.notes.extend(notes);
}

/// Writes a trail to its file, or else to the temporary directory. Where it is then.
fn save_trail(path: &Path, trail: &Trail, notes: &mut Vec<String>) -> Result<PathBuf, String> {
    let text = write(trail);
    let Err(error) = write_file(path, &text) else { return Ok(path.to_owned()) };
    let spare = spare(path);
    OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&spare)
        .and_then(|file| fill(file, &spare, &text))
        .map_err(|why| format!("{error}; cannot write {} (set TMPDIR): {why}", spare.display()))?;
    notes.push(format!("{error}; the trail is in {}", spare.display()));
    Ok(spare)
}

/// The file of a trail.
fn trail_file(first: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return first.to_owned();
    }
    let stem = first.file_stem().unwrap_or_default().to_string_lossy();
    let ending = first.extension().map(|ending| ending.to_string_lossy());
    let ending = ending.map(|ending| format!(".{ending}")).unwrap_or_default();
    let directory = first.parent().unwrap_or(Path::new(""));
    directory.join(format!("{stem}-{}{ending}", index + 1))
}

/// Where a trail goes that cannot be written where it should: a name that no other file has.
fn spare(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    std::env::temp_dir().join(format!("steam-{}-{name}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Configuration, ProgramInfo, Recorded, Statistics, Verdict, ViolationInfo};

    #[test]
    fn trails_have_names() {
        let first = Path::new("prog-1.2.trail");
        assert_eq!(trail_file(first, 0), first);
        assert_eq!(trail_file(first, 1), Path::new("prog-1.2-2.trail"));
        assert_eq!(trail_file(Path::new("out/x"), 2), Path::new("out/x-3"));
    }

    #[test]
    fn trying_a_file_leaves_it_as_it_is() {
        let folder = std::env::temp_dir().join(format!("steam-save-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (there, fresh) = (folder.join("there"), folder.join("fresh"));
        write_file(&there, "text").unwrap();
        try_file(&there).unwrap();
        try_file(&fresh).unwrap();
        assert_eq!(std::fs::read_to_string(&there).unwrap(), "text");
        assert!(!fresh.exists());
        assert!(try_file(&folder.join("no/where")).is_err());
        assert!(try_file(&folder).is_err());
        try_file(Path::new("/dev/full")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
    }

    fn report() -> Report {
        let trail = Trail { atomic: "lgc".into(), sha256: "0".repeat(64), ..Trail::default() };
        let trail = Some(Recorded { file: None, trail });
        Report {
            version: String::new(),
            program: ProgramInfo::default(),
            configuration: Configuration::default(),
            verdict: Verdict::Violation,
            violations: vec![ViolationInfo { trail, ..ViolationInfo::default() }],
            unknowns: Vec::new(),
            unconfirmed: Vec::new(),
            statistics: Statistics::default(),
            claims: Vec::new(),
            notes: Vec::new(),
            exits: Vec::new(),
            own_errors: Vec::new(),
        }
    }

    #[test]
    fn what_cannot_be_written_goes_elsewhere() {
        let (mut report, path) = (report(), Path::new("/dev/full"));
        save_trails(&mut report, path);
        let spare = spare(path);
        let bytes = std::fs::read(&spare).unwrap();
        std::fs::remove_file(&spare).unwrap();
        assert_eq!(super::super::parse(&bytes).unwrap().sha256, "0".repeat(64));
        let file = &report.violations[0].trail.as_ref().unwrap().file;
        assert_eq!(*file, spare.to_str().map(Into::into));
        assert!(report.notes[0].starts_with("cannot write /dev/full: "), "{:?}", report.notes);
    }
}
