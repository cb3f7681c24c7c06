//! What is known of the whole program while one of its functions is followed.

use steam_image::{Declared, Image, TypeId, TypeKind};

use crate::heads::Heads;
use crate::objects::Objects;
use crate::parts::{Part, Parts};
use crate::source::Sources;
use crate::value::{Base, Count, Value};

/// A program.
pub(crate) struct Context<'a> {
    pub image: &'a Image,
    pub declared: &'a Declared,
    pub objects: &'a Objects,
    pub heads: &'a Heads,
    pub sources: &'a Sources,
    /// Local variables that the user wants to be atomic: function and name.
    pub locals: &'a [(String, String)],
    pub parts: Parts<'a>,
}

impl Context<'_> {
    /// What is known of a word by its type.
    pub fn of_type(&self, id: TypeId, count: Count) -> Value {
        let types = self.parts.types;
        match types.kind(id) {
            TypeKind::Pointer(target) | TypeKind::Reference(target)
                if types.size(*target).is_none() =>
            {
                Value::UNKNOWN
            }
            TypeKind::Pointer(target) => Value::object(*target, count),
            TypeKind::Reference(target) => Value::object(*target, Count::One),
            TypeKind::Base(_) | TypeKind::Enum(_) => Value::ANY,
            _ => Value::UNKNOWN,
        }
    }

    /// What is known of a word that was followed here and is declared to have a type. A pointer
    /// into a larger object stays one: a pointer to a member knows its neighbours. What does not
    /// fit into the object that it was thought to point to has been cast.
    pub fn refine(&self, followed: Value, declared: Option<TypeId>, count: Count) -> Value {
        let Some(declared) = declared else { return followed };
        let types = self.parts.types;
        let known = self.of_type(declared, count);
        let Base::Object(target, _) = known.base else {
            let better = followed.is_open() && known.base != Base::Unknown;
            return if better { known } else { followed };
        };
        let (container, many) = match followed.base {
            Base::Frame | Base::Aligned | Base::Table(_) => return followed,
            Base::Zero if followed.step == 0 => return followed,
            Base::Unknown | Base::Word(..) | Base::Opaque(_) | Base::Zero => return known,
            Base::Object(container, many) => (container, many),
        };
        let room = types.size(container).unwrap_or(0);
        let size = types.size(target).unwrap_or(0);
        let Some(at) = u32::try_from(followed.add)
            .ok()
            .filter(|at| at.checked_add(size).is_some_and(|end| end <= room))
        else {
            return known;
        };
        // Of two types with the same bytes the declared one counts.
        if size == room {
            return Value::object(target, if many == Count::Any { many } else { count });
        }
        // Where the index says too little, the declared type is what is left.
        let unclear = followed.step != 0
            && self.parts.indexed(container, at, followed.step, size) == Part::Open;
        if unclear { known } else { followed }
    }

    /// The offset in an object of a type at which a pointer of that type with an offset points, which
    /// may lead to another element of an array. A pointer to a type with which larger ones begin may be
    /// one to a larger object.
    pub fn offset_in(&self, target: TypeId, count: Count, add: i32) -> Option<u32> {
        let at = u32::try_from(add).ok()?;
        let types = self.parts.types;
        let each = types.size(target).filter(|&each| each > 0 && at >= each)?;
        let elements = count == Count::Any
            && (self.parts.is_scalar(target) || !self.heads.contains(types, target));
        elements.then_some(at % each)
    }

    /// The same where an index is not known.
    pub fn element(&self, target: TypeId, count: Count, add: i32) -> Option<u32> {
        let each = self.parts.types.size(target).filter(|&each| each > 0)?;
        match u32::try_from(add) {
            Ok(at) if at < each => (count == Count::Any).then_some(at),
            _ => self.offset_in(target, count, add),
        }
    }
}
