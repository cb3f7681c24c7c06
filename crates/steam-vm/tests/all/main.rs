//! Instructions in small pieces of memory: code that changes, codes for frequent forms, and accesses that are watched.

mod changing_code;
mod special_codes;
mod watched;
