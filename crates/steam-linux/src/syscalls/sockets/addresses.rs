//! Addresses of sockets as they lie in memory.

use std::sync::Arc;

use super::super::Call;
use crate::errno::Errno;
use crate::guest::{GuestMemory, Refusal};
use crate::kernel::{Family, SocketName};

pub(super) const UNIX: u16 = 1;
pub(super) const INTERNET: u16 = 2;
const NETLINK: u16 = 16;
/// `INADDR_LOOPBACK`.
pub(super) const LOOPBACK: u32 = 0x7f00_0001;

/// An address as a program gives it.
pub(in crate::syscalls) enum Address {
    /// Of no family: ends an association.
    Unspecified,
    /// A path.
    Path(Vec<u8>),
    /// A name that is not in the file system.
    Abstract(Arc<[u8]>),
    /// A UNIX address without a name.
    Unnamed,
    /// An IPv4 address, 0 for any, and a port.
    Port(u32, u16),
}

/// Reads an address for a socket of a family.
pub(super) fn read(
    call: &mut Call<'_>,
    address: u32,
    size: u32,
    family: Family,
) -> Result<Address, Refusal> {
    const LARGEST: u32 = 128;
    const LONGEST_UNIX: usize = 110;
    const INTERNET_SIZE: usize = 16;
    if !(2..=LARGEST).contains(&size) {
        return Err(Errno::EINVAL.into());
    }
    let bytes = call.bytes(address, size)?;
    match (u16::from_le_bytes([bytes[0], bytes[1]]), family) {
        (_, Family::Netlink) => Err(Refusal::Unknown("the address of a netlink socket".to_owned())),
        (0, _) => Ok(Address::Unspecified),
        (UNIX, Family::Unix) if bytes.len() > LONGEST_UNIX => Err(Errno::EINVAL.into()),
        (UNIX, Family::Unix) => Ok(match &bytes[2..] {
            [] => Address::Unnamed,
            [0, name @ ..] => Address::Abstract(name.into()),
            path => Address::Path(path.split(|&byte| byte == 0).next().unwrap_or(path).to_vec()),
        }),
        (INTERNET, Family::Internet) if bytes.len() < INTERNET_SIZE => Err(Errno::EINVAL.into()),
        (INTERNET, Family::Internet) => {
            let port = u16::from_be_bytes([bytes[2], bytes[3]]);
            let address = u32::from_be_bytes([bytes[4], bytes[5], bytes[6], bytes[7]]);
            if address != 0 && address >> 24 != LOOPBACK >> 24 {
                let [a, b, c, d] = address.to_be_bytes();
                return Err(Refusal::Unknown(format!("the address {a}.{b}.{c}.{d}")));
            }
            Ok(Address::Port(address, port))
        }
        (_, Family::Unix) => Err(Errno::EINVAL.into()),
        (_, Family::Internet) => Err(Errno::EAFNOSUPPORT.into()),
    }
}

/// The bytes of an address.
pub(super) fn bytes(family: Family, name: Option<&SocketName>) -> Vec<u8> {
    let head = match family {
        Family::Unix => UNIX,
        Family::Internet => INTERNET,
        Family::Netlink => NETLINK,
    };
    let mut bytes = head.to_le_bytes().to_vec();
    match name {
        Some(SocketName::Path { path, .. }) => {
            bytes.extend_from_slice(path);
            bytes.push(0);
        }
        Some(SocketName::Abstract { name, .. }) => {
            bytes.push(0);
            bytes.extend_from_slice(name);
        }
        Some(&SocketName::Port { address, port, .. }) => {
            bytes.extend_from_slice(&port.to_be_bytes());
            bytes.extend_from_slice(&address.to_be_bytes());
            bytes.resize(16, 0);
        }
        None => bytes.resize(
            match family {
                Family::Unix => 2,
                Family::Internet => 16,
                // That of the kernel, which is all zeros.
                Family::Netlink => 12,
            },
            0,
        ),
    }
    bytes
}

/// Writes as much of an address as there is room for, and how long it is.
pub(super) fn put(
    call: &mut Call<'_>,
    bytes: &[u8],
    address: u32,
    length: u32,
) -> Result<(), Refusal> {
    let room = call.word(length)? as i32;
    let room = usize::try_from(room).map_err(|_| Errno::EINVAL)?;
    call.put(address, &bytes[..bytes.len().min(room)])?;
    call.put_word(length, bytes.len() as u32)
}
