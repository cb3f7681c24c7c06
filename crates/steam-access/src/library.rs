//! The atomic things of the libraries of C++ and Rust, by name: classes whose bytes are atomic, members that the
//! library reads by atomic operations although their types are plain, and functions that are
//! atomic operations.
//!
//! The names are those of libstdc++ and, where they are the same, libc++; and of Rust's `core`.

use steam_image::{Type, TypeKind};

/// Classes of namespace std all of whose bytes are atomic.
const CLASSES: &[&str] = &[
    "atomic",
    "atomic_flag",
    "__atomic_base",
    "__atomic_flag_base",
    "__atomic_float",
    "__cxx_atomic_impl",
    "__cxx_atomic_base_impl",
];

/// Members with plain types: the class, and the member.
const MEMBERS: &[(&str, &str)] = &[
    ("_Sp_counted_base", "_M_use_count"),
    ("_Sp_counted_base", "_M_weak_count"),
    ("latch", "_M_a"),
    ("__tree_barrier", "_M_phase"),
    ("__state_t", "__tickets"),
    ("__atomic_semaphore", "_M_counter"),
    ("__platform_semaphore", "_M_semaphore"),
    ("__waiter_pool_base", "_M_wait"),
    ("__waiter_pool_base", "_M_ver"),
];

/// Functions of namespace __gnu_cxx: reference counts of the library.
const COUNTING: &[&str] = &[
    "__exchange_and_add",
    "__exchange_and_add_dispatch",
    "__exchange_and_add_single",
    "__atomic_add",
    "__atomic_add_dispatch",
    "__atomic_add_single",
    "__is_single_threaded",
];

/// The module of Rust's atomic types, whose names begin with `Atomic`.
const RUST: &str = "core::sync::atomic";

/// What the accesses of a function are, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// As their types say.
    Ordinary,
    /// It is one atomic access to an object of an atomic class, and may have plain ones beside it.
    Operation,
    /// The same, and it only reads the object: what it stores is its result.
    Load,
    /// An atomic access to an object of a plain type, to which its first parameter points.
    OperationOnPlain,
    /// The same, and it only reads the object.
    LoadOfPlain,
    /// The exchange itself has a `lock` prefix; all else is what its type says: the expected value
    /// may lie in shared memory, and is read and written as any other.
    Comparison,
    /// Plain: an atomic object is not yet, or no more, one.
    Construction,
}

/// Says whether a class is one of the library.
pub(crate) fn is_in_std(class: &Type) -> bool {
    in_std(&class.scope)
}

/// Says whether objects of a type are those of a library, which looks after them in its own way: locks, files,
/// and what else is not for the program to touch.
pub(crate) fn takes_care_of(found: &Type) -> bool {
    const BEGINNINGS: [&str; 4] = ["pthread_", "omp_", "_IO_", "atomic_"];
    const NAMES: [&str; 7] = ["sem_t", "FILE", "mtx_t", "cnd_t", "once_flag", "tss_t", "jmp_buf"];
    let of_library = |name: &str| {
        let reserved = matches!(found.kind, TypeKind::Aggregate(_)) && name.starts_with("__");
        reserved || BEGINNINGS.iter().any(|it| name.starts_with(it)) || NAMES.contains(&name)
    };
    is_library(&found.scope) || found.name.as_deref().is_some_and(of_library)
}

/// Says whether all bytes of a class are atomic.
pub(crate) fn is_atomic_class(class: &Type) -> bool {
    let Some(name) = &class.name else { return false };
    let of_rust = &*class.scope == RUST && name.starts_with("Atomic");
    of_rust || in_std(&class.scope) && CLASSES.contains(&bare(name))
}

/// Says whether a class is room for an object of another type, of which its own members say nothing.
pub(crate) fn is_raw_storage(class: &Type) -> bool {
    const ROOM: [&str; 4] = ["__aligned_buffer", "__aligned_membuf", "aligned_storage", "type"];
    let Some(name) = &class.name else { return false };
    let name = bare(name);
    match &*class.scope {
        "__gnu_cxx" => ROOM[..2].contains(&name),
        scope => in_std(scope) && ROOM[2] == name || name == ROOM[3] && scope.contains(ROOM[2]),
    }
}

/// Says whether the library accesses a member of one of its classes by atomic operations.
pub(crate) fn is_atomic_member(class: &Type, member: &str) -> bool {
    let Some(name) = &class.name else { return false };
    let (outer, home) = split(&class.scope);
    let library = in_std(&class.scope) || in_std(outer) && home.starts_with('_');
    library && MEMBERS.iter().any(|&(home, own)| home == bare(name) && own == member)
}

/// Says what the accesses of the function `name` in `scope` are.
pub(crate) fn role(scope: &str, name: &str) -> Role {
    let name = bare(name);
    if scope == "__gnu_cxx" {
        return if COUNTING.contains(&name) { Role::OperationOnPlain } else { Role::Ordinary };
    }
    if let Some(rest) = scope.strip_prefix(RUST) {
        return role_in_rust(rest, name);
    }
    let (outer, class) = split(scope);
    if !in_std(outer) {
        return Role::Ordinary;
    }
    let class = bare(class);
    let free = class == "__atomic_impl";
    let atomic = CLASSES.contains(&class);
    match name {
        _ if atomic && (name == class || name.starts_with('~')) => Role::Construction,
        _ if (atomic || free) && name.contains("compare_exchange") => Role::Comparison,
        _ if free => Role::OperationOnPlain,
        "load" if atomic => Role::Load,
        _ if atomic => Role::Operation,
        "_M_get_use_count" if class == "_Sp_counted_base" => Role::Operation,
        "_S_do_spin" | "_S_do_spin_v" if class.starts_with("__waiter") => Role::LoadOfPlain,
        _ => Role::Ordinary,
    }
}

/// The same for Rust, in the module or in one of its types: `new` and what needs the only reference are plain.
fn role_in_rust(scope: &str, name: &str) -> Role {
    let is_method = match scope {
        "" => false,
        _ if scope.starts_with("::") => true,
        _ => return Role::Ordinary,
    };
    let operation = name.strip_prefix("atomic_").filter(|_| !is_method);
    match operation.or(is_method.then_some(name)) {
        Some("load") => {
            if is_method {
                Role::Load
            } else {
                Role::LoadOfPlain
            }
        }
        Some(name) if name.starts_with("compare_") => Role::Comparison,
        Some("store" | "swap") if is_method => Role::Operation,
        Some(name) if is_method && name.starts_with("fetch_") => Role::Operation,
        Some("new" | "get_mut" | "into_inner" | "from_mut") if is_method => Role::Construction,
        Some(_) if !is_method => Role::OperationOnPlain,
        _ => Role::Ordinary,
    }
}

/// Says whether a scope is the library's, whose functions other functions of it call.
pub(crate) fn is_library(scope: &str) -> bool {
    let first = scope.split("::").next().unwrap_or_default();
    matches!(first, "std" | "__gnu_cxx")
}

/// Namespace std, or one within it that users do not write: `std::__1`, `std::__detail`.
fn in_std(scope: &str) -> bool {
    match scope.strip_prefix("std") {
        Some("") => true,
        Some(rest) => rest.starts_with("::_") && !rest[2..].contains("::") && !rest.contains('<'),
        None => false,
    }
}

/// The name of a template without its arguments.
fn bare(name: &str) -> &str {
    match name.find('<') {
        // `operator<` and the like are no templates.
        Some(at) if at > 0 && !name.starts_with("operator") => name[..at].trim_end(),
        _ => name,
    }
}

/// The last name of a scope, and what stands before it.
fn split(scope: &str) -> (&str, &str) {
    let mut depth = 0usize;
    for (at, letter) in scope.char_indices().rev() {
        match letter {
            '>' => depth += 1,
            '<' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return (scope[..at].trim_end_matches(':'), &scope[at + 1..]),
            _ => {}
        }
    }
    ("", scope)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_their_roles() {
        for (scope, name, expected) in [
            ("std::atomic<int>", "load", Role::Load),
            ("std::__atomic_base<Node*>", "operator Node*", Role::Operation),
            ("std::atomic<std::pair<int, int> >", "store", Role::Operation),
            ("std::__atomic_base<int>", "compare_exchange_weak", Role::Comparison),
            ("std::__atomic_impl", "load<int>", Role::OperationOnPlain),
            ("std::__atomic_impl", "compare_exchange_strong<int>", Role::Comparison),
            ("std::atomic<int>", "atomic", Role::Construction),
            ("std::atomic_flag", "~atomic_flag", Role::Construction),
            ("__gnu_cxx", "__atomic_add_dispatch", Role::OperationOnPlain),
            ("__gnu_cxx", "__aligned_membuf", Role::Ordinary),
            ("std::_Sp_counted_base<2>", "_M_get_use_count", Role::Operation),
            ("std::__detail::__waiter_base<int>", "_S_do_spin", Role::LoadOfPlain),
            ("std::vector<std::atomic<int> >", "operator[]", Role::Ordinary),
            ("mine::atomic<int>", "load", Role::Ordinary),
            ("std::mine::atomic<int>", "load", Role::Ordinary),
            ("", "load", Role::Ordinary),
            ("core::sync::atomic", "atomic_load<u32>", Role::LoadOfPlain),
            ("core::sync::atomic", "atomic_store<u8>", Role::OperationOnPlain),
            ("core::sync::atomic", "atomic_compare_exchange<u32>", Role::Comparison),
            ("core::sync::atomic", "fence", Role::Ordinary),
            ("core::sync::atomic::AtomicU32", "load", Role::Load),
            ("core::sync::atomic::AtomicPtr<u8>", "store", Role::Operation),
            ("core::sync::atomic::AtomicU32", "get_mut", Role::Construction),
            ("core::sync::atomic::AtomicU32", "as_ptr", Role::Ordinary),
            ("core::sync::atomics", "atomic_load", Role::Ordinary),
            ("mine::core::sync::atomic", "atomic_load", Role::Ordinary),
            ("std", "move", Role::Ordinary),
        ] {
            assert_eq!(role(scope, name), expected, "{scope}::{name}");
        }
    }
}
