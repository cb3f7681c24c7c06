//! One frozen address space: its mappings and its pages.

use crate::region::Regions;
use crate::table::PageTable;

/// The memory of a process as a value.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// What is mapped where.
    pub regions: Regions,
    /// The contents: pages that were never written have id 0, the page of zeros.
    pub pages: PageTable,
}

impl Memory {
    /// Whether two address spaces are equal in all that the program can see.
    pub fn same(&self, other: &Self) -> bool {
        self.pages.same(&other.pages) && self.regions.same(&other.regions)
    }
}
