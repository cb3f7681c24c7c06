//! Characters and texts, in quotes.

use steam_image::{Encoding, TypeId, TypeKind, Types};

use super::Printing;

/// Says whether a type is one of characters of one byte.
pub(super) fn is_character(types: &Types, type_id: TypeId) -> bool {
    let kind = types.kind(type_id);
    let character =
        matches!(kind, TypeKind::Base(Encoding::SignedCharacter | Encoding::UnsignedCharacter));
    character && types.size(type_id) == Some(1)
}

/// A character in quotes.
pub(super) fn character(value: u8) -> String {
    match value {
        b'\'' => "'\\''".to_owned(),
        value => format!("'{}'", escaped(value)),
    }
}

/// A character within quotes, as C writes it.
fn escaped(value: u8) -> String {
    match value {
        b'\n' => "\\n".to_owned(),
        b'\t' => "\\t".to_owned(),
        b'\r' => "\\r".to_owned(),
        b'\\' => "\\\\".to_owned(),
        0x20..0x7f => char::from(value).to_string(),
        value => format!("\\{value:03o}"),
    }
}

impl Printing<'_, '_> {
    /// The text in an array; zeros at its end are left out.
    pub(super) fn characters(&mut self, bytes: &[u8]) -> String {
        let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        let shown = end.min(self.left);
        self.left -= shown;
        quoted(&bytes[..shown], shown < end)
    }

    /// The text that starts at an address, if all of it that is printed can be read.
    pub(super) fn text_at(&mut self, address: u32) -> Option<String> {
        let mut bytes = Vec::new();
        while bytes.len() < self.left {
            let mut byte = [0];
            let place = address.wrapping_add(bytes.len() as u32);
            if address == 0 || !self.memory.read(place, &mut byte) {
                return None;
            }
            if byte[0] == 0 {
                self.left -= bytes.len();
                return Some(quoted(&bytes, false));
            }
            bytes.push(byte[0]);
        }
        self.left = 0;
        Some(quoted(&bytes, true))
    }
}

fn quoted(bytes: &[u8], more: bool) -> String {
    let mut text = String::from("\"");
    for &byte in bytes {
        match byte {
            b'"' => text.push_str("\\\""),
            byte => text.push_str(&escaped(byte)),
        }
    }
    text.push_str(if more { "\"..." } else { "\"" });
    text
}
