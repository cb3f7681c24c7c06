//! From one entry of debug information to a type, or to a part of one: a member, a constant, a
//! dimension.

use gimli::{
    AttributeValue, DW_AT_bit_offset, DW_AT_bit_size, DW_AT_byte_size, DW_AT_const_value,
    DW_AT_count, DW_AT_data_bit_offset, DW_AT_data_member_location, DW_AT_declaration,
    DW_AT_encoding, DW_AT_language, DW_AT_upper_bound, Operation,
};

use super::entries::Entry;
use super::places::integer;
use super::types::{
    Aggregate, Bits, Encoding, Enumeration, Keyword, Member, Offset, Qualifier, Signature, TypeId,
    TypeKind,
};
use crate::debug::Reader;

/// A part of the type around it.
pub(super) enum Part {
    /// A member or a base class.
    Member(Member),
    /// A constant of an enumeration.
    Constant(String, i64),
    /// One dimension of an array.
    Dimension(Option<u32>),
    /// The dots at the end of a list of parameters.
    Variadic,
}

/// Returns the type that an entry describes. `target` is the type that it refers to, and
/// `definition` the one that completes a mere declaration, if it says so.
pub(super) fn kind(
    entry: &Entry,
    target: TypeId,
    definition: Option<TypeId>,
    cpp: bool,
) -> Option<TypeKind> {
    Some(match entry.tag() {
        gimli::DW_TAG_base_type => base(entry),
        gimli::DW_TAG_pointer_type => TypeKind::Pointer(target),
        gimli::DW_TAG_reference_type | gimli::DW_TAG_rvalue_reference_type => {
            TypeKind::Reference(target)
        }
        gimli::DW_TAG_structure_type => aggregate(entry, Keyword::Struct, definition),
        gimli::DW_TAG_union_type => aggregate(entry, Keyword::Union, definition),
        gimli::DW_TAG_class_type => aggregate(entry, Keyword::Class, definition),
        gimli::DW_TAG_enumeration_type if is_declaration(entry, definition) => {
            TypeKind::Declared(Keyword::Enum, definition)
        }
        gimli::DW_TAG_enumeration_type => {
            TypeKind::Enum(Enumeration { constants: Vec::new(), signed: false, cpp })
        }
        gimli::DW_TAG_array_type => TypeKind::Array(target, None),
        gimli::DW_TAG_typedef | gimli::DW_TAG_template_alias => TypeKind::Typedef(target),
        gimli::DW_TAG_const_type => TypeKind::Qualified(Qualifier::Const, target),
        gimli::DW_TAG_volatile_type => TypeKind::Qualified(Qualifier::Volatile, target),
        gimli::DW_TAG_atomic_type => TypeKind::Qualified(Qualifier::Atomic, target),
        gimli::DW_TAG_restrict_type => TypeKind::Qualified(Qualifier::Restrict, target),
        gimli::DW_TAG_subroutine_type => TypeKind::Function(Signature {
            result: target,
            parameters: Vec::new(),
            variadic: false,
        }),
        gimli::DW_TAG_ptr_to_member_type => TypeKind::Other("a pointer to a member"),
        gimli::DW_TAG_unspecified_type => TypeKind::Other("a type without a description"),
        _ => return None,
    })
}

/// Returns the part of a type that an entry describes.
pub(super) fn part(
    entry: &Entry,
    encoding: gimli::Encoding,
    target: TypeId,
    name: Option<String>,
) -> Option<Part> {
    Some(match entry.tag() {
        gimli::DW_TAG_member => Part::Member(member(entry, encoding, target, name)?),
        gimli::DW_TAG_inheritance => {
            let member = member(entry, encoding, target, None)?;
            Part::Member(Member { base: true, ..member })
        }
        gimli::DW_TAG_enumerator => {
            Part::Constant(name?, integer(&entry.attr_value(DW_AT_const_value)?)?)
        }
        gimli::DW_TAG_subrange_type => Part::Dimension(elements(entry)),
        gimli::DW_TAG_unspecified_parameters => Part::Variadic,
        _ => return None,
    })
}

/// Returns what an entry says of the size of its type.
pub(super) fn size(entry: &Entry) -> Option<u32> {
    number(entry, DW_AT_byte_size)
}

/// Says whether a unit is one of C++.
pub(super) fn language_is_cpp(entry: &Entry) -> bool {
    let Some(AttributeValue::Language(language)) = entry.attr_value(DW_AT_language) else {
        return false;
    };
    matches!(
        language,
        gimli::DW_LANG_C_plus_plus
            | gimli::DW_LANG_C_plus_plus_03
            | gimli::DW_LANG_C_plus_plus_11
            | gimli::DW_LANG_C_plus_plus_14
            | gimli::DW_LANG_C_plus_plus_17
            | gimli::DW_LANG_C_plus_plus_20
    )
}

/// Says whether a unit is one of Rust, whose atomic objects are known by the names of their types.
pub(super) fn language_is_rust(entry: &Entry) -> bool {
    let language = entry.attr_value(DW_AT_language);
    matches!(language, Some(AttributeValue::Language(gimli::DW_LANG_Rust)))
}

/// Says whether a compiler that describes itself like this may know OpenMP. Only GCC tells its options, and
/// not always.
pub(super) fn knows_openmp(producer: &str) -> bool {
    let tells = producer.starts_with("GNU ") && producer.contains(" -");
    !tells || producer.split(' ').any(|option| option.starts_with("-fopenmp"))
}

fn number(entry: &Entry, name: gimli::DwAt) -> Option<u32> {
    u32::try_from(entry.attr_value(name)?.udata_value()?).ok()
}

fn base(entry: &Entry) -> TypeKind {
    let Some(AttributeValue::Encoding(encoding)) = entry.attr_value(DW_AT_encoding) else {
        return TypeKind::Other("a number in an unknown form");
    };
    let size = size(entry);
    let integer = matches!(size, Some(1 | 2 | 4 | 8));
    TypeKind::Base(match encoding {
        gimli::DW_ATE_signed if integer => Encoding::Signed,
        gimli::DW_ATE_unsigned if integer => Encoding::Unsigned,
        gimli::DW_ATE_signed_char if integer => Encoding::SignedCharacter,
        gimli::DW_ATE_unsigned_char | gimli::DW_ATE_UTF | gimli::DW_ATE_ASCII if integer => {
            Encoding::UnsignedCharacter
        }
        gimli::DW_ATE_boolean if integer => Encoding::Boolean,
        gimli::DW_ATE_float if matches!(size, Some(4 | 8 | 12)) => Encoding::Float,
        gimli::DW_ATE_complex_float => return TypeKind::Other("a complex number"),
        _ => return TypeKind::Other("a number in an unknown form"),
    })
}

/// Whether a type is defined elsewhere: as it says, or in a unit of its own.
fn is_declaration(entry: &Entry, definition: Option<TypeId>) -> bool {
    entry.attr(DW_AT_declaration).is_some() || definition.is_some()
}

fn aggregate(entry: &Entry, keyword: Keyword, definition: Option<TypeId>) -> TypeKind {
    if is_declaration(entry, definition) {
        return TypeKind::Declared(keyword, definition);
    }
    TypeKind::Aggregate(Aggregate { keyword, members: Vec::new() })
}

fn member(
    entry: &Entry,
    encoding: gimli::Encoding,
    type_id: TypeId,
    name: Option<String>,
) -> Option<Member> {
    let offset = match entry.attr_value(DW_AT_data_member_location) {
        // A member of a union, or a bit-field that counts its bits from the start.
        None => Offset::Bytes(0),
        Some(value) => match value.udata_value() {
            Some(bytes) => Offset::Bytes(u32::try_from(bytes).ok()?),
            None => computed(value.exprloc_value()?, encoding)?,
        },
    };
    let plain = Member { name, type_id, offset, bits: None, base: false };
    let Some(width) = number(entry, DW_AT_bit_size) else { return Some(plain) };
    let Offset::Bytes(bytes) = offset else { return None };
    let first = first_bit(entry, bytes, width)?;
    let width = u8::try_from(width).ok().filter(|width| (1..=64).contains(width))?;
    let bits = Bits { shift: (first % 8) as u8, width };
    Some(Member { offset: Offset::Bytes(first / 8), bits: Some(bits), ..plain })
}

/// The number of bits before a bit-field.
fn first_bit(entry: &Entry, bytes: u32, width: u32) -> Option<u32> {
    let start = bytes.checked_mul(8)?;
    if let Some(bits) = number(entry, DW_AT_data_bit_offset) {
        return start.checked_add(bits);
    }
    let Some(from_top) = entry.attr_value(DW_AT_bit_offset) else { return Some(start) };
    // Up to DWARF 3, bits are counted from the highest one of the unit in which they are stored.
    let unit = size(entry).unwrap_or(4).checked_mul(8)?;
    let end = i64::from(start).checked_add(i64::from(unit))?.checked_sub(signed(&from_top)?)?;
    u32::try_from(end.checked_sub(i64::from(width))?).ok()
}

/// A number that may be negative. clang writes a bit-field that reaches beyond its unit with a negative
/// offset, as an unsigned number of 64 bits.
fn signed(value: &AttributeValue<Reader>) -> Option<i64> {
    value.sdata_value().or_else(|| value.udata_value().map(u64::cast_signed))
}

/// An offset that the compiler writes as an expression.
fn computed(expression: gimli::Expression<Reader>, encoding: gimli::Encoding) -> Option<Offset> {
    let mut operations = expression.operations(encoding);
    let mut found = Vec::new();
    while let Some(operation) = operations.next().ok()? {
        found.push(operation);
        if found.len() > 6 {
            return None;
        }
    }
    match &found[..] {
        [Operation::PlusConstant { value }] | [Operation::UnsignedConstant { value }] => {
            Some(Offset::Bytes(u32::try_from(*value).ok()?))
        }
        [
            Operation::Pick { index: 0 },
            Operation::Deref { .. },
            Operation::UnsignedConstant { value },
            Operation::Minus,
            Operation::Deref { .. },
            Operation::Plus,
        ] => Some(Offset::Virtual(u32::try_from(*value).ok()?)),
        _ => None,
    }
}

fn elements(entry: &Entry) -> Option<u32> {
    if let Some(count) = number(entry, DW_AT_count) {
        return Some(count);
    }
    let last = entry.attr_value(DW_AT_upper_bound)?;
    match last.udata_value() {
        Some(last) if last == u64::from(u32::MAX) || last == u64::MAX => Some(0),
        Some(last) => u32::try_from(last).ok()?.checked_add(1),
        None => (last.sdata_value()? == -1).then_some(0),
    }
}
