//! What the user declares to be atomic, by name: variables (`count`, `file.c::count`,
//! `function::count`, `space::count`), parts of them (`box.count`), members of types (`struct
//! node.next`, `Class::member`), local variables (`function::done`) and functions all of whose
//! accesses are atomic, also where they were inlined.

use std::fmt;

use steam_expr::{fits, is_file, nearest, parts};
use steam_image::{
    Address, Declared, Function, Image, NoDeclarations, Place, SymbolKind, THREAD_BASE, TypeId,
    TypeKind, Types, Variable, demangle,
};

use crate::parts::{Listed, Parts};

/// A name that matches nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// The number of the entry in the list.
    pub entry: usize,
    /// Why, with the names that may have been meant.
    pub message: String,
    /// Whether it names a variable of which each thread has its own, so that it has no one place.
    pub of_threads: bool,
}

impl fmt::Display for Unmatched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What the names stand for.
#[derive(Debug, Default)]
pub(crate) struct List {
    /// Bytes of variables: start, end and entry.
    variables: Vec<(u32, u32, usize)>,
    /// Instructions of functions: start, end and entry.
    functions: Vec<(u32, u32, usize)>,
    pub members: Listed,
    /// Function and name.
    pub locals: Vec<(String, String)>,
}

/// A name as it is written.
struct Written<'a> {
    file: Option<&'a str>,
    /// The names before the last one.
    scope: Vec<&'a str>,
    name: &'a str,
    /// The members after it.
    path: Vec<&'a str>,
    /// Whether it is a type, by the word before it.
    tagged: bool,
}

impl List {
    pub fn new(image: &Image, names: &[String]) -> (List, Vec<Unmatched>) {
        let mut list = List::default();
        let mut unmatched = Vec::new();
        for (entry, name) in names.iter().enumerate() {
            let message = match image.declarations.get() {
                Ok(declared) => list.add(image, declared, entry, name).err(),
                Err(NoDeclarations(why)) => {
                    Some((format!("`{name}` is not known: {}", why.reason()), false))
                }
            };
            unmatched.extend(message.map(|(message, of_threads)| Unmatched {
                entry,
                message,
                of_threads,
            }));
        }
        (list, unmatched)
    }

    /// The entry for a function to which an instruction belongs.
    pub fn code(&self, eip: u32) -> Option<usize> {
        let here = |&&(start, end, _): &&(u32, u32, usize)| (start..end).contains(&eip);
        self.functions.iter().find(here).map(|&(_, _, entry)| entry)
    }

    /// The entry for a variable, or a part of one, that has all of the bytes.
    pub fn bytes(&self, address: u32, size: u32) -> Option<usize> {
        let end = address.saturating_add(size);
        let has_all = |&&(start, to, _): &&(u32, u32, usize)| start <= address && end <= to;
        self.variables.iter().find(has_all).map(|&(_, _, entry)| entry)
    }

    fn add(
        &mut self,
        image: &Image,
        declared: &Declared,
        entry: usize,
        text: &str,
    ) -> Result<(), (String, bool)> {
        let written = Written::new(text);
        let types = declared.types();
        let (mut matched, mut of_threads) = (false, false);
        for variable in declared.variables(written.name).filter(|it| written.is_variable(it)) {
            of_threads |= is_of_threads(&variable.place);
            let Place::Memory(Address::Fixed(start)) = variable.place else { continue };
            for (at, size) in part(types, variable.type_id, &written.path) {
                let start = start.wrapping_add(at);
                self.variables.push((start, start.saturating_add(size), entry));
                matched = true;
            }
        }
        matched |= self.add_members(declared, &written);
        if written.path.is_empty() && !written.tagged {
            let functions = declared.functions(written.name).filter(|it| written.is_function(it));
            let ranges = functions.flat_map(|function| &function.ranges);
            let before = self.functions.len();
            self.functions.extend(ranges.map(|&(start, end)| (start, end, entry)));
            self.add_inlined(declared, entry, &written);
            matched |=
                self.functions.len() > before || !of_threads && self.add_local(declared, &written);
        }
        matched = matched || self.add_symbols(image, entry, text.trim());
        if matched { Ok(()) } else { Err((unknown(declared, &written, text), of_threads)) }
    }

    /// The instructions of a function where it was inlined.
    fn add_inlined(&mut self, declared: &Declared, entry: usize, written: &Written<'_>) {
        let homes = declared.all_functions().filter(|home| !home.ranges.is_empty());
        for home in homes {
            let body = declared.body(home);
            let calls = body.inlined.iter().filter(|call| {
                *call.name == *written.name && fits(&parts(&call.scope), &written.scope)
            });
            let ranges = calls.flat_map(|call| &call.ranges);
            self.functions.extend(ranges.map(|&(start, end)| (start, end, entry)));
        }
    }

    /// A variable of a library without debug information: `std::cout`.
    fn add_symbols(&mut self, image: &Image, entry: usize, text: &str) -> bool {
        let before = self.variables.len();
        let objects = image.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Object);
        for symbol in objects.filter(|it| it.name == text || demangle(&it.name) == text) {
            let end = symbol.address.saturating_add(symbol.size);
            self.variables.push((symbol.address, end, entry));
        }
        self.variables.len() > before
    }

    /// `node.next`, `struct node.next` or `Class::member`.
    fn add_members(&mut self, declared: &Declared, written: &Written<'_>) -> bool {
        let (scope, class, path) = match (&written.path[..], &written.scope[..]) {
            ([], [scope @ .., class]) if !written.tagged => (scope, *class, vec![written.name]),
            ([], _) => return false,
            (path, scope) => (scope, written.name, path.to_vec()),
        };
        let types = declared.types();
        let mut matched = false;
        for id in declared.types_named(class) {
            let target = types.get(types.strip(id));
            let fitting = fits(&parts(&types.get(id).scope), scope);
            let found = if fitting { part(types, id, &path) } else { Vec::new() };
            if let Some(name) = target.qualified_name().filter(|_| !found.is_empty()) {
                self.members.entry(name).or_default().extend(found);
                matched = true;
            }
        }
        matched
    }

    fn add_local(&mut self, declared: &Declared, written: &Written<'_>) -> bool {
        let Some(function) = written.scope.last() else { return false };
        let has = |home: &Function| {
            declared.body(home).variables.iter().any(|variable| *variable.name == *written.name)
        };
        // One that is inlined everywhere has variables there only.
        let inlined = || {
            declared.all_functions().filter(|home| !home.ranges.is_empty()).any(|home| {
                let body = declared.body(home);
                body.variables.iter().any(|variable| {
                    let own = variable.inlined.map(|index| &body.inlined[index].name);
                    *variable.name == *written.name && own.is_some_and(|own| **own == **function)
                })
            })
        };
        let found = declared.functions(function).any(has) || inlined();
        if found {
            self.locals.push(((*function).to_owned(), written.name.to_owned()));
        }
        found
    }
}

impl<'a> Written<'a> {
    fn new(text: &'a str) -> Written<'a> {
        let text = text.trim();
        let words = ["struct ", "union ", "class "];
        let untagged = words.iter().find_map(|word| text.strip_prefix(word));
        let (tagged, text) = (untagged.is_some(), untagged.unwrap_or(text).trim());
        let (file, rest) = match text.split_once("::") {
            Some((file, rest)) if file.contains('.') && !file.contains('<') => (Some(file), rest),
            _ => (None, text),
        };
        let (names, path) = match members_start(rest) {
            Some(dot) => (&rest[..dot], rest[dot + 1..].split('.').collect()),
            None => (rest, Vec::new()),
        };
        let mut scope = parts(names);
        let name = scope.pop().unwrap_or_default();
        Written { file, scope, name, path, tagged }
    }

    fn is_variable(&self, variable: &Variable) -> bool {
        let mut scope = parts(&variable.scope);
        scope.extend(variable.function.as_deref());
        let file = self.file.is_none_or(|file| is_file(&variable.file, file));
        !self.tagged && file && fits(&scope, &self.scope)
    }

    fn is_function(&self, function: &Function) -> bool {
        let file = self.file.is_none_or(|file| is_file(&function.file, file));
        file && fits(&parts(&function.scope), &self.scope)
    }
}

/// Whether a variable lies at another address in each thread.
fn is_of_threads(place: &Place) -> bool {
    matches!(place, Place::Memory(Address::Register { register: THREAD_BASE, .. }))
}

/// Where the first dot is that is not within the arguments of a template.
fn members_start(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    text.char_indices().find_map(|(at, letter)| {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (letter == '.' && depth == 0).then_some(at)
    })
}

/// So many elements of arrays are looked at.
const ELEMENTS: usize = 1 << 16;

/// Offsets and sizes of a member after a type, or of the whole. Elements of an array are all meant.
fn part(types: &Types, id: TypeId, path: &[&str]) -> Vec<(u32, u32)> {
    let (mut id, mut starts) = (id, vec![0u32]);
    for name in path {
        while let TypeKind::Array(element, count) = types.kind(id) {
            let each = types.size(*element).unwrap_or(0);
            let elements = (0..count.unwrap_or(1)).map(|index| index.saturating_mul(each));
            let elements: Vec<u32> = elements.take(ELEMENTS / starts.len().max(1)).collect();
            let all = starts.iter().flat_map(|start| elements.iter().map(move |at| start + at));
            starts = all.collect();
            id = *element;
        }
        let Some((member, start)) = find(types, id, name, 8) else { return Vec::new() };
        starts.iter_mut().for_each(|at| *at = at.saturating_add(start));
        id = member;
    }
    let Some(size) = types.size(id) else { return Vec::new() };
    starts.into_iter().map(|at| (at, size)).collect()
}

/// A member by name, also of base classes and anonymous members.
fn find(types: &Types, id: TypeId, name: &str, depth: usize) -> Option<(TypeId, u32)> {
    let TypeKind::Aggregate(aggregate) = types.kind(id) else { return None };
    let depth = depth.checked_sub(1)?;
    let listed = Listed::default();
    let members = Parts { types, listed: &listed, volatile: false };
    members.placed(aggregate).find_map(|(member, start, _)| match &member.name {
        Some(own) => (own == name).then_some((member.type_id, start)),
        None => {
            let (found, inner) = find(types, member.type_id, name, depth)?;
            Some((found, start.checked_add(inner)?))
        }
    })
}

fn unknown(declared: &Declared, written: &Written<'_>, text: &str) -> String {
    let types = declared.types();
    let class = match (&written.path[..], &written.scope[..]) {
        ([first, ..], _) => Some((written.name, *first)),
        ([], [.., class]) => Some((*class, written.name)),
        _ => None,
    };
    if let Some((class, wanted)) = class {
        let variables = declared.variables(class).map(|variable| variable.type_id);
        let homes: Vec<_> = declared.types_named(class).chain(variables).collect();
        let members = homes.iter().flat_map(|&id| match types.kind(id) {
            TypeKind::Aggregate(aggregate) => &aggregate.members[..],
            _ => &[],
        });
        let names: Vec<&str> = members.filter_map(|member| member.name.as_deref()).collect();
        if !names.is_empty() {
            let near = nearest(wanted, names.into_iter());
            return format!("`{text}` matches nothing: `{class}` has no member `{wanted}`{near}");
        }
    }
    let near = nearest(written.name, declared.names().chain(declared.type_names()));
    format!("`{text}` matches no variable, member or function{near}")
}
