//! One function followed from its entry: what is known before each of its instructions, and what
//! that says of the memory that it accesses.
//!
//! A forward data-flow analysis over the instructions as they are, to a fixed point (Kildall 1973),
//! with the values of `value.rs`. Debug information adds what it says of variables in registers and
//! in the frame. What is reached in unknown ways (landing pads of exceptions) is begun with
//! nothing known but the frame.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use steam_image::{Address, Body, Function, Place};
use vm_isa::Code;

use crate::builtins;
use crate::code::{Instruction, instructions, never_returns};
use crate::context::Context;
use crate::copies;
use crate::operand::{Operand, Roles};
use crate::operations::settle;
use crate::scene::Scene;
use crate::state::{EBP, ESP, State};
use crate::transfer::Following;
use crate::value::{Base, Count, Value};
use crate::volatiles;

/// So often what is known before an instruction may shrink, before nothing is.
const VISITS: u32 = 64;
/// What was found out about a function.
pub(crate) struct Followed {
    /// What the accesses of its instructions are, by address.
    pub operands: HashMap<u32, Operand>,
    /// The first argument of each call, by the address after the call.
    pub arguments: HashMap<u32, Value>,
}

/// Finds out what the accesses of a function's instructions are, and what it gives to others.
pub(crate) fn follow(context: &Context<'_>, function: &Function) -> Followed {
    let body = context.declared.body(function);
    let mut flow = Flow::new(context, function, &body);
    flow.run();
    // Addresses that were taken late may have been overlooked by calls before.
    if !flow.following.exposed.is_empty() {
        flow.again();
        flow.run();
    }
    let (mut answers, arguments) = (flow.answers, flow.arguments);
    settle(context, &mut answers);
    builtins::settle(context, &flow.code, &mut answers);
    volatiles::settle(context, &body.variables, &mut answers);
    copies::settle(context, &body.variables, &mut answers);
    Followed { operands: answers, arguments }
}

struct Flow<'a> {
    following: Following<'a>,
    roles: Roles<'a>,
    entry: Option<u32>,
    code: BTreeMap<u32, Instruction>,
    /// Targets of jumps.
    targets: HashSet<u32>,
    /// What is known before instructions at which ways meet.
    before: HashMap<u32, State>,
    visits: HashMap<u32, u32>,
    pending: BTreeSet<u32>,
    answers: HashMap<u32, Operand>,
    arguments: HashMap<u32, Value>,
}

impl<'a> Flow<'a> {
    fn new(context: &'a Context<'a>, function: &Function, body: &'a Body) -> Flow<'a> {
        let code = instructions(context.image, function);
        let following = Following {
            context,
            scene: Scene::new(body, &code),
            exposed: Vec::new(),
            frame_pointer: None,
            at: 0,
        };
        Flow {
            following,
            roles: Roles::new(context, function, body),
            targets: code.iter().filter_map(|instruction| instruction.successors().1).collect(),
            entry: function.ranges.first().map(|range| range.0),
            code: code.into_iter().map(|instruction| (instruction.address, instruction)).collect(),
            before: HashMap::new(),
            visits: HashMap::new(),
            pending: BTreeSet::new(),
            answers: HashMap::new(),
            arguments: HashMap::new(),
        }
    }

    fn again(&mut self) {
        self.before.clear();
        self.visits.clear();
        self.answers.clear();
        self.arguments.clear();
    }

    fn run(&mut self) {
        if let Some(entry) = self.entry {
            let mut state = State::unknown();
            // The return address lies on the stack.
            for number in (0..8).filter(|&number| number != ESP && number != EBP) {
                state.registers[number] = Value::opaque(entry.wrapping_sub(1 + number as u32));
            }
            state.registers[ESP] = Value::frame(-4);
            self.following.at = entry;
            self.following.learn_parameters(&mut state);
            self.before.insert(entry, state);
            self.pending.insert(entry);
        }
        self.drain();
        // What only fills the room before the target of a jump is no way to it.
        let code = self.code.iter().filter(|(_, instruction)| !instruction.is_padding());
        let all: Vec<u32> = code.map(|(address, _)| *address).collect();
        for address in all {
            if !self.visits.contains_key(&address) {
                self.arrive(address, None);
                self.drain();
            }
        }
    }

    fn drain(&mut self) {
        while let Some(address) = self.pending.pop_first() {
            let mut state = self.before[&address].clone();
            let mut at = address;
            // Straight on, up to where another way comes in.
            while let Some(instruction) = self.code.get(&at).copied() {
                *self.visits.entry(at).or_default() += 1;
                let scattered = self.step(&mut state, &instruction);
                for target in scattered {
                    self.targets.insert(target);
                    self.arrive(target, Some(&state));
                }
                let (next, target) = instruction.successors();
                if let Some(target) = target.filter(|target| self.code.contains_key(target)) {
                    self.arrive(target, Some(&state));
                }
                let Some(next) = next.filter(|_| !self.ends(&instruction)) else { break };
                if self.targets.contains(&next) {
                    self.arrive(next, Some(&state));
                    break;
                }
                at = next;
            }
        }
    }

    fn ends(&self, instruction: &Instruction) -> bool {
        let Instruction { op, .. } = instruction;
        op.code == Code::Call && never_returns(self.following.context.image, op.imm)
    }

    /// Performs an instruction; returns where it may go by a table.
    fn step(&mut self, state: &mut State, instruction: &Instruction) -> Vec<u32> {
        self.told(state, instruction.address, true);
        if instruction.accesses() {
            let operand = self.roles.operand(&self.following, state, instruction);
            self.answers.insert(instruction.address, operand);
        }
        let stack = state.registers[ESP];
        if matches!(instruction.op.code, Code::Call | Code::CallIndirect) && stack.is_exact_frame()
        {
            self.arguments.insert(instruction.next, state.word(stack));
        }
        let scattered = match instruction.op.code {
            Code::JmpIndirect => {
                let is_code = |at| self.code.contains_key(&at);
                self.following.targets(state, &instruction.op, is_code)
            }
            _ => Vec::new(),
        };
        self.following.perform(state, instruction);
        scattered
    }

    /// Adds what debug information tells at an instruction, also of registers of which something
    /// else is known already, or not.
    fn told(&mut self, state: &mut State, address: u32, of_all: bool) {
        self.following.at = address;
        let context = self.following.context;
        for (variable, place) in self.following.scene.variables_at(address) {
            let (Place::Register(register)
            | Place::Memory(Address::Register { register, offset: 0 })) = place
            else {
                continue;
            };
            let register = usize::from(*register);
            let followed = match state.registers.get(register) {
                Some(followed) if register != ESP && register != EBP => *followed,
                _ => continue,
            };
            // From a register the compiler may go on to the neighbours of what it points to.
            let known = match place {
                Place::Register(_) => context.of_type(variable.type_id, Count::One),
                _ => Value::object(variable.type_id, Count::One),
            };
            if !matches!(known.base, Base::Object(..)) || !(of_all || followed.is_open()) {
                continue;
            }
            let learned = match place {
                Place::Register(_) => context.refine(followed, Some(variable.type_id), Count::One),
                _ if followed.is_open() => known,
                _ => followed,
            };
            // The code may go on with a copy that is in another register.
            if matches!(followed.base, Base::Opaque(_)) && followed.step == 0 {
                state.learn_base(followed.base, learned.offset(followed.add.wrapping_neg()));
            }
            state.registers[register] = learned;
        }
        self.following.learn_words(state);
    }

    /// A way comes to an instruction; of ways that cannot be followed nothing is known.
    fn arrive(&mut self, address: u32, state: Option<&State>) {
        let types = self.following.context.parts.types;
        let often = self.visits.get(&address).is_some_and(|&visits| visits >= VISITS);
        let mut known = match state {
            Some(state) if !often => state.clone(),
            _ => self.nothing_known(address),
        };
        // Told to each way that comes in, so that what none of them knows is the same.
        self.told(&mut known, address, false);
        if let Some(before) = self.before.get(&address).filter(|_| !often) {
            known.join(before, types);
        }
        if self.before.get(&address) != Some(&known) {
            self.before.insert(address, known);
            self.pending.insert(address);
        }
    }

    fn nothing_known(&self, address: u32) -> State {
        let mut state = State::unknown();
        state.registers[EBP] = self.following.frame_pointer.unwrap_or(Value::UNKNOWN);
        self.following.reset_frame(&mut state, address);
        state
    }
}
