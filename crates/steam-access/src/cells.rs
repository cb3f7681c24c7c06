//! What the source calls some bytes: a variable, and the members and elements on the path to them.

use steam_image::{Aggregate, Local, Member, Offset, TypeId, TypeKind, Types, Variable};

use crate::library;
use crate::parts::Parts;

/// Members and elements on one path.
const DEEPEST: usize = 32;

/// Returns the name of `size` bytes at an offset in a variable: `box.count`, `table[3].next`.
pub(crate) fn name(types: &Types, variable: &Variable, at: u32, size: u32) -> String {
    let mut name = match (&variable.function, &*variable.scope) {
        (Some(function), "") => format!("{function}::{}", variable.name),
        (Some(function), scope) => format!("{scope}::{function}::{}", variable.name),
        (None, "") => variable.name.to_string(),
        (None, scope) => format!("{scope}::{}", variable.name),
    };
    append_path(types, variable.type_id, at, size, &mut name);
    name
}

/// Returns the name of `size` bytes at an offset in a local variable: `main::box.count`.
pub(crate) fn local(types: &Types, local: &Local, at: u32, size: u32) -> String {
    let mut name = format!("{}::{}", local.function, local.name);
    append_path(types, local.type_id, at, size, &mut name);
    name
}

/// Returns the name of the byte at an offset in what has a name: `box.count`.
pub(crate) fn within(types: &Types, start: &str, id: TypeId, at: u32) -> String {
    let mut name = start.to_owned();
    append_path(types, id, at, 1, &mut name);
    name
}

/// Returns the name of a member: `node.next`.
pub(crate) fn member(types: &Types, id: TypeId, at: u32) -> Option<String> {
    let found = types.get(types.strip(id));
    let TypeKind::Aggregate(_) = found.kind else { return None };
    let start = found.qualified_name()?;
    let mut name = start.clone();
    append_path(types, id, at, 1, &mut name);
    (name != start).then_some(name)
}

/// Adds members and elements, as long as one of them has all of the bytes.
fn append_path(types: &Types, id: TypeId, at: u32, size: u32, name: &mut String) {
    let listed = Default::default();
    let parts = Parts { types, listed: &listed, volatile: false };
    let (mut id, mut at) = (id, at);
    for _ in 0..DEEPEST {
        let found = types.get(types.strip(id));
        match &found.kind {
            // What is inside is the library's business.
            TypeKind::Aggregate(_) if library::is_in_std(found) => return,
            TypeKind::Aggregate(aggregate) => {
                let Some((member, start)) = member_at(parts, aggregate, at, size) else { return };
                // What is inside of a `pthread_mutex_t` is the library's business, too.
                if member.name.as_ref().is_some_and(|own| own.starts_with("__")) {
                    return;
                }
                if let Some(own) = &member.name {
                    name.push('.');
                    name.push_str(own);
                }
                (id, at) = (member.type_id, at - start);
            }
            TypeKind::Array(element, _) => {
                let Some(each) = types.size(*element).filter(|&each| each > 0) else { return };
                if at % each + size > each {
                    return;
                }
                name.push_str(&format!("[{}]", at / each));
                (id, at) = (*element, at % each);
            }
            _ => return,
        }
    }
}

/// The member that has all of the bytes; none where several share them, as in unions and words of
/// bit-fields.
fn member_at<'a>(
    parts: Parts<'a>,
    aggregate: &'a Aggregate,
    at: u32,
    size: u32,
) -> Option<(&'a Member, u32)> {
    let has_all = |&(member, start, length): &(&Member, u32, u32)| {
        matches!(member.offset, Offset::Bytes(_))
            && start <= at
            && at.saturating_add(size) <= start.saturating_add(length)
    };
    let mut members = parts.placed(aggregate).filter(has_all);
    let (member, start, _) = members.next()?;
    members.next().is_none().then_some((member, start))
}
