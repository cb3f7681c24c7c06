//! Finding a call by its number or its name.

use super::facts::{Role, SystemCall};
use super::ipc::system_v;
use super::sockets::operation;
use super::table::TABLE;

/// The row of all numbers that are no call: nothing is known of it.
static NO_CALL: SystemCall = SystemCall { number: u32::MAX, name: "", facts: None };

/// The row of a number, if Linux has such a call.
pub fn find(number: u32) -> Option<&'static SystemCall> {
    let row = TABLE.partition_point(|row| row.number < number);
    TABLE.get(row).filter(|row| row.number == number)
}

/// The row of a number; one of which nothing is known if Linux has no such call.
pub fn row(number: u32) -> &'static SystemCall {
    find(number).unwrap_or(&NO_CALL)
}

/// The call that a row with a first argument is: `ipc` and `socketcall` have others in them.
pub fn meant(row: &'static SystemCall, first: u32) -> &'static SystemCall {
    let within = match row {
        row if row.has(Role::SystemV) => system_v(first),
        row if row.has(Role::OnSocket) => operation(first),
        _ => None,
    };
    within.unwrap_or(row)
}

/// The row of a name.
pub(super) fn named(name: &str) -> Option<&'static SystemCall> {
    TABLE.iter().find(|row| row.name == name)
}

/// The rows of the calls that do something.
pub fn with(role: Role) -> impl Iterator<Item = &'static SystemCall> {
    TABLE.iter().filter(move |row| row.has(role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_ascend_and_names_are_unique() {
        assert!(TABLE.windows(2).all(|pair| pair[0].number < pair[1].number));
        let mut names: Vec<&str> = TABLE.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
        assert_eq!(find(4).map(|row| row.name), Some("write"));
        assert!(find(9999).is_none() && row(9999).facts.is_none());
    }
}
