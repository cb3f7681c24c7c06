//! What a page is.

/// Bytes in a page of the guest.
pub const PAGE_SIZE: usize = 4096;

/// The content of one page.
pub type PageBytes = [u8; PAGE_SIZE];

/// The number of the page that holds an address.
pub const fn page_of(address: u32) -> u32 {
    address >> 12
}
