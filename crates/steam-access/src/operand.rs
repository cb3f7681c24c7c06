//! What the memory that an instruction accesses is, by what is known before it.

use std::sync::Arc;

use steam_image::{Body, Function, Inlined, Placed, TypeId};
use vm_isa::{Code, Op, Segment};

use crate::code::Instruction;
use crate::context::Context;
use crate::library::{Role, is_library, role};
use crate::parts::Part;
use crate::state::State;
use crate::transfer::Following;
use crate::value::{Base, Value};

/// What is known of an access by its instruction alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operand {
    pub access: Access,
    pub address: Value,
    pub op: Op,
    /// The atomic operation of the library to which the instruction belongs, or may belong.
    pub operation: Option<Operation>,
    /// The number of the innermost inlined call to which it belongs.
    pub inlined: Option<usize>,
    /// Whether the processor does it as a whole.
    pub whole: bool,
    /// Whether it writes.
    pub writes: bool,
    /// Whether it may be an atomic operation of the compiler, for all that the text of the source says.
    pub may_be_builtin: bool,
    /// The number of the variable in the frame that it accesses, and the offset there.
    pub variable: Option<(usize, u32)>,
}

/// What an access is by its instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// It is part of an atomic operation of the library.
    Operation,
    /// It goes to an atomic object, by its type.
    AtomicType,
    /// It is an instruction that the program writes itself, as inline assembly.
    Assembly,
    /// It goes to an object that is not atomic, by its type.
    Plain,
    /// It makes or destroys an atomic object of the library, or copies several objects at once:
    /// whatever lies there, that is no atomic operation.
    Never,
    /// It goes to a variable with a fixed address: the address says which.
    ByAddress,
    /// The instruction does not say.
    Open,
}

/// An atomic operation of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Operation {
    /// The number of the inlined call; none where the function itself is the operation.
    pub call: Option<usize>,
    /// The type of the function, where it works on objects of plain types.
    pub on_plain: Option<TypeId>,
}

/// The functions to which the instructions of one function belong.
pub(crate) struct Roles<'a> {
    own: Role,
    own_type: TypeId,
    own_name: Arc<str>,
    own_scope: Arc<str>,
    inlined: &'a [Inlined],
}

impl Operand {
    /// The type of the object and the offset in it, for accesses through pointers.
    pub fn member(&self) -> Option<(TypeId, u32)> {
        match self.address.base {
            Base::Object(target, _) if self.address.step == 0 => {
                u32::try_from(self.address.add).ok().map(|at| (target, at))
            }
            _ => None,
        }
    }

    /// Whether it only moves a value, as atomic loads and stores do.
    pub fn moves(&self) -> bool {
        let code = self.op.code;
        matches!(code, Code::Mov | Code::Movzx | Code::Movsx | Code::X87 | Code::Simd)
    }

    /// Whether it goes to the stack frame.
    pub fn in_frame(&self) -> bool {
        matches!(self.address.base, Base::Frame | Base::Aligned)
    }
}

impl<'a> Roles<'a> {
    pub fn new(context: &Context<'_>, function: &Function, body: &'a Body) -> Roles<'a> {
        let (scope, name) = context.declared.home(function);
        Roles {
            own: role(&scope, &name),
            own_type: function.type_id,
            own_name: name,
            own_scope: scope,
            inlined: &body.inlined,
        }
    }

    /// What an instruction accesses.
    pub fn operand(
        &self,
        following: &Following<'_>,
        state: &State,
        instruction: &Instruction,
    ) -> Operand {
        let op = instruction.op;
        let address = following.address(state, &op);
        let (role, call) = self.role_of(following.scene.call_at(instruction.address));
        let string =
            matches!(op.code, Code::Movs | Code::Cmps | Code::Stos | Code::Lods | Code::Scas);
        let access = match role {
            // Compilers copy whole structs by them, and never use them for atomic operations.
            _ if string => Access::Never,
            Role::Construction => Access::Never,
            // By a pointer to what the atomic object holds: the type of that is plain.
            Role::Load if self.loads_value(following.context, call, address) => Access::Open,
            _ => self.by_type(following, state, instruction, address),
        };
        let on_plain = match (role, call) {
            (Role::OperationOnPlain | Role::LoadOfPlain, Some(call)) => {
                Some(self.inlined[call].type_id)
            }
            (Role::OperationOnPlain | Role::LoadOfPlain, None) => Some(self.own_type),
            _ => None,
        };
        let is_operation = match role {
            Role::Operation | Role::OperationOnPlain => true,
            Role::Load | Role::LoadOfPlain => !instruction.effects.writes,
            Role::Ordinary | Role::Comparison | Role::Construction => false,
        };
        let operation = is_operation.then_some(Operation { call, on_plain });
        Operand {
            access,
            address,
            op,
            operation,
            inlined: following.scene.call_at(instruction.address),
            whole: instruction.is_whole(),
            writes: instruction.effects.writes,
            may_be_builtin: false,
            variable: following.only_variable_at(state, address),
        }
    }

    /// Whether an address is that of what an atomic object of the library holds, by the types.
    fn loads_value(&self, context: &Context<'_>, call: Option<usize>, address: Value) -> bool {
        let scope = call.map_or(&self.own_scope, |call| &self.inlined[call].scope);
        let Value { base: Base::Object(id, _), add: 0, step: 0 } = address else { return false };
        let types = context.parts.types;
        let name = types.get(types.strip(id)).qualified_name();
        let held = scope.split_once('<').and_then(|(_, rest)| rest.strip_suffix('>'));
        name.is_some_and(|name| held.is_some_and(|held| held.trim() == name))
    }

    /// Beginning with an inlined call, the innermost function that is more than an ordinary one of
    /// the library, and the number of its call.
    fn role_of(&self, call: Option<usize>) -> (Role, Option<usize>) {
        let mut innermost = call;
        while let Some(index) = innermost {
            let inlined = &self.inlined[index];
            match role(&inlined.scope, &inlined.name) {
                Role::Ordinary if is_library(&inlined.scope) => innermost = inlined.outer,
                found => return (found, Some(index)),
            }
        }
        (self.own, None)
    }

    /// Whether the user wants a local variable to be atomic.
    fn is_listed(&self, context: &Context<'_>, variable: &Placed) -> bool {
        let function = match variable.inlined {
            Some(index) => &self.inlined[index].name,
            None => &self.own_name,
        };
        let mut listed = context.locals.iter();
        listed.any(|(home, name)| **home == **function && **name == *variable.name)
    }

    fn by_type(
        &self,
        following: &Following<'_>,
        state: &State,
        instruction: &Instruction,
        address: Value,
    ) -> Access {
        let context = following.context;
        let size = instruction.effects.size;
        let part = |id, at: i32, step| match (u32::try_from(at), step) {
            (Ok(at), 0) => context.parts.at(id, at, size),
            (Ok(at), step) => context.parts.indexed(id, at, step, size),
            (Err(_), _) => Part::Outside,
        };
        if instruction.op.segment() != Segment::Flat {
            let own = address.exact_number().and_then(|at| context.objects.of_thread(at));
            return own.map_or(Access::Open, |own| access(part(own.type_id(), own.at as i32, 0)));
        }
        match address.base {
            Base::Unknown | Base::Word(..) | Base::Opaque(_) | Base::Table(_) => Access::Open,
            Base::Zero => Access::ByAddress,
            Base::Frame | Base::Aligned => {
                let found = following.variables_at(state, address);
                let mut owners =
                    found.map(|(variable, at)| match self.is_listed(context, variable) {
                        true => Access::AtomicType,
                        false => access(part(variable.type_id, at as i32, address.step)),
                    });
                // A word without a name is one of the compiler's own.
                let first = owners.next().unwrap_or(Access::Plain);
                if owners.all(|other| other == first) { first } else { Access::Open }
            }
            Base::Object(target, count) => match part(target, address.add, address.step) {
                Part::Outside => {
                    let within = context.offset_in(target, count, address.add);
                    within.map_or(Access::Open, |at| access(part(target, at as i32, address.step)))
                }
                // An index that is not known counts elements: where there is no array within the
                // object, it is one of an array of such objects.
                Part::Open if address.step != 0 && !context.parts.has_array(target) => {
                    let element = context.element(target, count, address.add);
                    element.map_or(Access::Open, |at| access(part(target, at as i32, 0)))
                }
                found => access(found),
            },
        }
    }
}

fn access(part: Part) -> Access {
    match part {
        Part::Atomic => Access::AtomicType,
        Part::Plain => Access::Plain,
        Part::Open | Part::Outside => Access::Open,
    }
}
