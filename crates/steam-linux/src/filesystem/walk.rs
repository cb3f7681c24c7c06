//! From a path to what is there, component by component, as the kernel walks.

use std::sync::Arc;

use super::process_files::ProcessFile;
use super::{FileSystem, Found, Node, volatile};
use crate::errno::Errno;
use crate::kernel::{Entry, Object};

const MOST_LINKS: u32 = 40;
const LONGEST_NAME: usize = 255;

/// A path with one more component.
pub fn join(path: &[u8], name: &[u8]) -> Arc<[u8]> {
    match name {
        b"." => path.into(),
        b".." => parent(path).into(),
        _ if path.ends_with(b"/") => [path, name].concat().into(),
        _ => [path, b"/", name].concat().into(),
    }
}

/// The directory that a path without symbolic links lies in.
pub fn parent(path: &[u8]) -> &[u8] {
    match path.iter().rposition(|&byte| byte == b'/') {
        None | Some(0) => b"/",
        Some(at) => &path[..at],
    }
}

fn components(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> + '_ {
    path.split(|&byte| byte == b'/').filter(|name| !name.is_empty()).map(<[u8]>::to_vec)
}

impl FileSystem<'_> {
    /// Follows a path from a directory; a symbolic link at its end only if `follow`.
    pub fn walk_from(&self, from: &[u8], path: &[u8], follow: bool) -> Result<Found, Errno> {
        if path.is_empty() {
            return Err(Errno::ENOENT);
        }
        let must_be_directory = path.ends_with(b"/");
        let mut here: Arc<[u8]> =
            if path.starts_with(b"/") { b"/"[..].into() } else { from.into() };
        let mut ahead: Vec<Vec<u8>> = components(path).rev().collect();
        let mut links = 0;
        while let Some(name) = ahead.pop() {
            if name.len() > LONGEST_NAME {
                return Err(Errno::ENAMETOOLONG);
            }
            let next = join(&here, &name);
            let last = ahead.is_empty();
            let Some(node) = self.look_up(&next)? else {
                return if last {
                    Ok(Found { path: next, node: None })
                } else {
                    Err(Errno::ENOENT)
                };
            };
            if let Some(target) = self.link_target(&node)
                && (!last || follow || must_be_directory)
            {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Errno::ELOOP);
                }
                if target.starts_with(b"/") {
                    here = b"/"[..].into();
                }
                ahead.extend(components(&target).rev());
                continue;
            }
            if !self.is_directory(&node) && (!last || must_be_directory) {
                return Err(Errno::ENOTDIR);
            }
            here = next;
        }
        let node = self.look_up(&here)?;
        Ok(Found { path: here, node })
    }

    /// What is at an absolute path without symbolic links before its last component.
    pub fn look_up(&self, path: &Arc<[u8]>) -> Result<Option<Node>, Errno> {
        if let Some(node) = device(path).or_else(|| self.process_node(path)) {
            return Ok(Some(node).filter(|node| !self.is_no_thread(node)));
        }
        match self.kernel.overlay.names.get(path) {
            Some(Entry::Removed) => return Ok(None),
            Some(Entry::Inode(number)) => return Ok(Some(Node::Private(*number))),
            None if self.hides_host(parent(path)) => return Ok(None),
            None => {}
        }
        if volatile::is_volatile(path) {
            return Ok(volatile::at(path, &self.world.host));
        }
        match self.world.host.node(path) {
            Ok(node) => Ok(Some(Node::Host(node))),
            Err(Errno::ENOENT | Errno::ENOTDIR) => Ok(None),
            Err(errno) => Err(errno),
        }
    }

    /// Whether a node would be the directory of a thread that the process does not have.
    fn is_no_thread(&self, node: &Node) -> bool {
        let Node::Process(ProcessFile::Task(thread)) = node else { return false };
        self.thread_numbers().is_some_and(|numbers| !numbers.contains(thread))
    }

    /// What is at a path in the process's entry in `/proc`.
    fn process_node(&self, path: &[u8]) -> Option<Node> {
        let file = ProcessFile::at(path, self.system.process_number())?;
        Some(Node::Process(file))
    }

    /// Whether a directory or one above it is not the host's any more.
    pub fn hides_host(&self, directory: &[u8]) -> bool {
        let names = &self.kernel.overlay.names;
        let mut path = directory;
        while !names.is_empty() && path.len() > 1 {
            if names.contains_key(path) {
                return true;
            }
            path = parent(path);
        }
        false
    }
}

fn device(path: &[u8]) -> Option<Node> {
    let object = match path {
        b"/dev/null" => Object::Null,
        b"/dev/zero" => Object::Zero,
        b"/dev/full" => Object::Full,
        b"/dev/random" | b"/dev/urandom" => Object::Random,
        _ => return None,
    };
    Some(Node::Device(object))
}
