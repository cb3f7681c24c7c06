//! Finding a call by its number or its name.

use super::SystemCall;
use super::table::TABLE;

/// The row of a number, if Linux has such a call.
pub fn find(number: u32) -> Option<&'static SystemCall> {
    let row = TABLE.partition_point(|row| row.number < number);
    TABLE.get(row).filter(|row| row.number == number)
}

/// The row of a name.
pub fn named(name: &str) -> Option<&'static SystemCall> {
    TABLE.iter().find(|row| row.name == name)
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
        assert!(find(9999).is_none());
    }
}
