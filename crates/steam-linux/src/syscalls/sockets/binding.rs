//! What sockets are called, and finding them by it.

use std::sync::Arc;

use super::super::{Answer, Call};
use super::addresses::{self, Address, LOOPBACK};
use crate::errno::Errno;
use crate::filesystem::{Node, WRITE};
use crate::guest::Refusal;
use crate::kernel::{Entry, Family, InodeKind, Peer, Phase, Socket, SocketKind, SocketName};
use crate::world::USER_ID;

/// The first port that is given to those who want any.
const FIRST_FREE_PORT: u16 = 32768;

pub(in crate::syscalls) fn bind(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, size, ..] = call.arguments;
    let (number, _) = call.socket_of(descriptor)?;
    let Socket { family, kind, name, .. } = call.socket(number)?.clone();
    let address = addresses::read(call, address, size, family)?;
    let unnamed = name.is_none();
    let name = match address {
        Address::Path(path) => make_path(call, &path, unnamed)?,
        _ if !unnamed => return Err(Errno::EINVAL.into()),
        Address::Abstract(name) => SocketName::Abstract { kind, name },
        Address::Unnamed => {
            return Err(Refusal::Unknown("a name that the kernel chooses".to_owned()));
        }
        Address::Unspecified => return Err(Errno::EINVAL.into()),
        Address::Port(address, 0) => call.free_port(kind, address)?,
        Address::Port(_, 1..1024) if USER_ID != 0 => return Err(Errno::EACCES.into()),
        Address::Port(address, port) => {
            check_port(call, number, kind, address, port)?;
            SocketName::Port { kind, address, port }
        }
    };
    if call.system.kernel.sockets.contains_key(&name) {
        return Err(Errno::EADDRINUSE.into());
    }
    call.name_socket(number, name)?;
    Ok(0)
}

/// Makes a file for a UNIX socket that has no name yet.
fn make_path(call: &mut Call<'_>, path: &[u8], unnamed: bool) -> Result<SocketName, Refusal> {
    let from = Arc::clone(&call.system.process.directory);
    let found = call.files().walk_from(&from, path, false)?;
    if found.node.is_some() {
        return Err(Errno::EADDRINUSE.into());
    }
    call.check_writable_parent(&found.path)?;
    if !unnamed {
        return Err(Errno::EINVAL.into());
    }
    let inode = call.add_inode(InodeKind::Socket, 0o777);
    call.system.kernel.overlay.names.insert(found.path, Entry::Inode(inode));
    call.system.kernel.overlay.change(inode, |inode| inode.opened = 1);
    Ok(SocketName::Path { inode, path: path.into() })
}

/// Refuses a port that others have.
fn check_port(
    call: &Call<'_>,
    number: u32,
    kind: SocketKind,
    address: u32,
    port: u16,
) -> Result<(), Refusal> {
    const SOCKET_LEVEL: u32 = 1;
    const REUSE_ADDRESS: u32 = 2;
    let reuses = |socket: &Socket| socket.option(SOCKET_LEVEL, REUSE_ADDRESS) != 0;
    let own = reuses(call.socket(number)?);
    for (name, &other) in call.system.kernel.sockets.iter() {
        let &SocketName::Port { kind: its_kind, address: its, port: its_port } = name else {
            continue;
        };
        if (its_kind, its_port) != (kind, port) || its != address && its != 0 && address != 0 {
            continue;
        }
        let other = call.socket(other)?;
        let listens = matches!(other.phase, Phase::Listening { .. });
        if !own || !reuses(other) || listens {
            return Err(Errno::EADDRINUSE.into());
        }
        return Err(Refusal::Unknown(format!("two sockets that share port {port}")));
    }
    let used = call.system.kernel.used_ports.contains_key(&u32::from(port));
    if kind == SocketKind::Stream && used && !own {
        let what = format!("port {port} soon after a connection, without SO_REUSEADDR");
        return Err(Refusal::Unknown(what));
    }
    Ok(())
}

pub(in crate::syscalls) fn getsockname(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, length, ..] = call.arguments;
    let socket = call.socket(call.socket_of(descriptor)?.0)?;
    let bytes = addresses::bytes(socket.family, socket.name.as_ref());
    addresses::put(call, &bytes, address, length)?;
    Ok(0)
}

pub(in crate::syscalls) fn getpeername(call: &mut Call<'_>) -> Answer {
    let [descriptor, address, length, ..] = call.arguments;
    let socket = call.socket(call.socket_of(descriptor)?.0)?;
    let name = match &socket.phase {
        Phase::Connected { .. } => socket.peer_name.clone(),
        Phase::Letters { peer: Peer::Named(name), .. } => Some(name.clone()),
        Phase::Letters { peer: Peer::Socket(peer), .. } => call.socket(*peer)?.name.clone(),
        _ => return Err(Errno::ENOTCONN.into()),
    };
    let bytes = addresses::bytes(socket.family, name.as_ref());
    addresses::put(call, &bytes, address, length)?;
    Ok(0)
}

/// What others see of a name that stands for all addresses.
pub(super) fn at_loopback(name: SocketName) -> SocketName {
    match name {
        SocketName::Port { kind, address: 0, port } => {
            SocketName::Port { kind, address: LOOPBACK, port }
        }
        name => name,
    }
}

impl Call<'_> {
    /// Gives a socket its name.
    pub(super) fn name_socket(&mut self, number: u32, name: SocketName) -> Result<(), Errno> {
        self.system.kernel.sockets.insert(name.clone(), number);
        self.socket_mut(number)?.name = Some(name);
        Ok(())
    }

    /// A name with a port that no socket has.
    fn free_port(&self, kind: SocketKind, address: u32) -> Result<SocketName, Errno> {
        let taken = |wanted: u16| {
            self.system.kernel.sockets.keys().any(|name| {
                matches!(name, SocketName::Port { kind: its, port, .. }
                    if *its == kind && *port == wanted)
            })
        };
        let port = (FIRST_FREE_PORT..u16::MAX).find(|&port| !taken(port));
        Ok(SocketName::Port { kind, address, port: port.ok_or(Errno::EADDRINUSE)? })
    }

    /// The name of an IPv4 socket, which gets one if it has none.
    pub(super) fn own_port(&mut self, number: u32, address: u32) -> Result<SocketName, Errno> {
        if let Some(name) = &self.socket(number)?.name {
            return Ok(name.clone());
        }
        let name = self.free_port(self.socket(number)?.kind, address)?;
        self.name_socket(number, name.clone())?;
        Ok(name)
    }

    /// The socket with an address, for another one of a kind.
    pub(super) fn find_socket(
        &mut self,
        address: &Address,
        kind: SocketKind,
    ) -> Result<u32, Refusal> {
        let sockets = &self.system.kernel.sockets;
        let found = match address {
            Address::Path(path) => {
                let from = Arc::clone(&self.system.process.directory);
                let (_, node) = self.files().walk_from(&from, path, true)?.existing()?;
                let Node::Private(file) = node else { return Err(Errno::ECONNREFUSED.into()) };
                if !self.files().permits(&node, WRITE) {
                    return Err(Errno::EACCES.into());
                }
                let its = |name: &SocketName| matches!(name, SocketName::Path { inode, .. } if *inode == file);
                sockets.iter().find(|(name, _)| its(name)).map(|(_, &number)| number)
            }
            Address::Abstract(name) => {
                sockets.get(&SocketName::Abstract { kind, name: Arc::clone(name) }).copied()
            }
            &Address::Port(address, port) => {
                let address = if address == 0 { LOOPBACK } else { address };
                let at = |address| sockets.get(&SocketName::Port { kind, address, port }).copied();
                at(address).or_else(|| at(0))
            }
            Address::Unnamed | Address::Unspecified => return Err(Errno::EINVAL.into()),
        };
        let found = found.ok_or(Errno::ECONNREFUSED)?;
        let socket = self.socket(found)?;
        if socket.family == Family::Unix && socket.kind != kind {
            return Err(Errno::EPROTOTYPE.into());
        }
        Ok(found)
    }
}
