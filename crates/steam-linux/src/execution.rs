//! Programs that processes go over to: what `execve` asks for, and the executable files that are known.
//!
//! Which file a process runs is part of its state; the files themselves are not.

use std::sync::{Arc, Mutex, PoisonError};

use steam_image::Image;

use crate::guest::Refusal;

/// A program to be run in place of another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// The path of the file, without symbolic links.
    pub path: Arc<[u8]>,
    /// The arguments, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// The environment, each as `KEY=VALUE`.
    pub environment: Vec<Vec<u8>>,
}

impl Execution {
    /// Whether it is what `system` and `popen` run: a shell with a command.
    pub fn is_shell(&self) -> bool {
        let argument = |position: usize| self.arguments.get(position).map(Vec::as_slice);
        matches!(argument(0), Some(b"sh" | b"/bin/sh")) && argument(1) == Some(b"-c")
    }
}

/// The path of an executable file, and the file.
type Known = (Arc<[u8]>, Arc<Image>);

/// The executable files that processes have gone over to, by their numbers from 1 on; the first
/// program has the number 0. All workers of a search share them.
#[derive(Debug, Default)]
pub struct Images {
    known: Mutex<Vec<Known>>,
}

impl Images {
    /// The file at a path, read by `read` if it is not known yet.
    pub fn find(
        &self,
        path: &Arc<[u8]>,
        read: impl FnOnce() -> Result<Image, Refusal>,
    ) -> Result<(u32, Arc<Image>), Refusal> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(position) = known.iter().position(|(other, _)| other == path) {
            return Ok((position as u32 + 1, Arc::clone(&known[position].1)));
        }
        let image = Arc::new(read()?);
        known.push((Arc::clone(path), Arc::clone(&image)));
        Ok((known.len() as u32, image))
    }

    /// The file with a number, but for the first program.
    pub fn get(&self, number: u32) -> Option<Arc<Image>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.get((number as usize).checked_sub(1)?).map(|(_, image)| Arc::clone(image))
    }

    /// Whether a process ever went over to another program.
    pub fn is_empty(&self) -> bool {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }
}
