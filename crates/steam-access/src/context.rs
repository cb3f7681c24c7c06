//! What is known of the whole program while one of its functions is followed.

use steam_image::{Declared, Image, TypeId, TypeKind};

use crate::objects::Objects;
use crate::parts::Parts;
use crate::value::{Base, Count, Value};

/// A program.
pub(crate) struct Context<'a> {
    pub image: &'a Image,
    pub declared: &'a Declared,
    pub objects: &'a Objects,
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
        let room = match followed.base {
            Base::Frame | Base::Aligned | Base::Table(_) => return followed,
            Base::Zero if followed.step == 0 => return followed,
            Base::Unknown | Base::Word(..) | Base::Zero => return known,
            Base::Object(container, _) => types.size(container).unwrap_or(0),
        };
        let size = types.size(target).unwrap_or(0);
        let fits = u32::try_from(followed.add)
            .is_ok_and(|at| at.checked_add(size).is_some_and(|end| end <= room));
        // Of two types with the same bytes the declared one counts.
        if fits && size < room { followed } else { known }
    }
}
