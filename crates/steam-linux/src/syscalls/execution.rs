//! Running another program.

use super::{Answer, Call, WORKING_DIRECTORY, threads};
use crate::errno::Errno;
use crate::execution::Execution;
use crate::filesystem::Node;
use crate::guest::{GuestMemory, Refusal};

/// More arguments than this no program has.
const MOST_STRINGS: u32 = 100_000;
/// Nor a longer one.
const LONGEST_STRING: u32 = 0x2_0000;

pub(super) fn execve(call: &mut Call<'_>) -> Answer {
    let [path, arguments, environment, ..] = call.arguments;
    execute(call, WORKING_DIRECTORY, path, arguments, environment)
}

pub(super) fn execveat(call: &mut Call<'_>) -> Answer {
    let [directory, path, arguments, environment, flags, _] = call.arguments;
    if flags != 0 {
        return Err(Refusal::Unknown(format!("execveat with the flags {flags:#x}")));
    }
    execute(call, directory, path, arguments, environment)
}

fn execute(
    call: &mut Call<'_>,
    directory: u32,
    path: u32,
    arguments: u32,
    environment: u32,
) -> Answer {
    let (path, node) = call.walk_existing(directory, path, true)?;
    match node {
        Node::Host(_) => {}
        _ => return Err(Refusal::Unknown("a program that the program has written".to_owned())),
    }
    let arguments = strings(call, arguments)?;
    let environment = strings(call, environment)?;
    threads::release_robust_list(call);
    Err(Refusal::Execute(Box::new(Execution { path, arguments, environment })))
}

/// What the shell of our own says of a command that it cannot do. Linux has no such call.
pub(super) fn shell_refuses(call: &mut Call<'_>) -> Answer {
    if !call.system.process.built_in {
        return Err(Errno::ENOSYS.into());
    }
    let what = call.string(call.arguments[0], LONGEST_STRING)?.unwrap_or_default();
    let what = String::from_utf8_lossy(&what);
    Err(Refusal::Unknown(format!("in the command of system or popen: {what}")))
}

/// The strings of a list of pointers that ends with 0.
fn strings(call: &mut Call<'_>, list: u32) -> Result<Vec<Vec<u8>>, Refusal> {
    let mut strings = Vec::new();
    if list == 0 {
        return Ok(strings);
    }
    for position in 0..MOST_STRINGS {
        match call.word(list.wrapping_add(4 * position))? {
            0 => return Ok(strings),
            address => {
                let string = call.string(address, LONGEST_STRING)?;
                strings.push(string.ok_or(Errno::E2BIG)?);
            }
        }
    }
    Err(Errno::E2BIG.into())
}
