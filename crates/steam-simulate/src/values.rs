//! Values of C expressions where the user stands, with the registers of the chosen function.

use steam_expr::{Expression, Limits, Memory, Printer, ProgramNames, Value, type_name};
use steam_image::{Activation, NoDeclarations, THREAD_BASE};
use steam_model::Model;
use steam_program::Glimpse;
use steam_props::{ProgramPropositions, mentions_threads};
use steam_report::{Location, locations, users_line};
use steam_state::{Space, ThreadId};

use crate::moves::Changed;
use crate::points::Point;
use crate::simulation::Simulation;

/// A function on a call stack.
pub struct Frame {
    /// Its registers; functions inlined into each other have the same.
    pub activation: Activation,
    /// Where it is.
    pub location: Location,
}

/// The names of the program's variables, or why there are none.
type NamesOf<'a, 'i> = &'a Result<ProgramNames<'i>, NoDeclarations>;

/// Memory and registers of one function of one thread.
struct FrameMemory<'a> {
    glimpse: Glimpse<'a>,
    activation: Activation,
}

impl Memory for FrameMemory<'_> {
    fn read(&mut self, address: u32, bytes: &mut [u8]) -> bool {
        self.glimpse.read(address, bytes)
    }

    fn register(&self, number: u8) -> Option<u32> {
        match number {
            8 => Some(self.activation.eip),
            THREAD_BASE => Some(self.glimpse.thread_base()),
            number => self.activation.gpr.get(usize::from(number)).copied(),
        }
    }
}

impl<'i> Simulation<'i> {
    /// The registers of the functions on a thread's call stack, innermost first.
    pub(crate) fn activations(&mut self, thread: ThreadId) -> Vec<Activation> {
        self.glimpse(thread).map(|(mut glimpse, _)| glimpse.activations()).unwrap_or_default()
    }

    /// Looks at a thread, with the names of the program's variables.
    fn glimpse(&mut self, thread: ThreadId) -> Option<(Glimpse<'_>, NamesOf<'_, 'i>)> {
        let state = self.state().cloned();
        if state.is_none() && self.wreck.is_none() {
            self.visit_wreck();
        }
        let Self { program, inside, wreck, looker, names, .. } = self;
        let glimpse = match (inside, wreck) {
            (Some((_, inside)), _) if inside.thread() == thread => inside.glimpse(program),
            (_, Some(wreck)) => wreck.glimpse(program),
            _ => {
                let looker = looker.get_or_insert_with(|| program.worker());
                program.glimpse(looker, &state?, thread)?
            }
        };
        Some((glimpse, names))
    }

    /// The functions on a thread's call stack, innermost first.
    pub fn frames(&mut self, thread: ThreadId) -> Vec<Frame> {
        let activations = self.activations(thread);
        let located = |activation: Activation| {
            let locations = locations(self.image, &activation).into_iter();
            locations.map(move |location| Frame { activation, location })
        };
        activations.into_iter().flat_map(located).collect()
    }

    /// The position on the call stack of the function whose variables are meant.
    pub fn selected(&mut self) -> usize {
        if let Some(frame) = self.frame {
            return frame;
        }
        let frames = self.frames(self.thread);
        let stack: Vec<Location> = frames.into_iter().map(|frame| frame.location).collect();
        users_line(&stack).unwrap_or(0)
    }

    /// Means the variables of another function of the call stack; false if it is not so deep.
    pub fn select(&mut self, frame: usize) -> bool {
        let exists = frame < self.frames(self.thread).len();
        if exists {
            self.frame = Some(frame);
        }
        exists
    }

    /// The selected function.
    pub fn selected_frame(&mut self) -> Option<Frame> {
        let at = self.selected();
        self.frames(self.thread).into_iter().nth(at)
    }

    /// The value of an expression, and the text of its type.
    pub fn evaluate(
        &mut self,
        text: &str,
        format: Option<char>,
    ) -> Result<(String, String), String> {
        if mentions_threads(text) {
            return self.said_of_threads(text).map(|holds| (holds.to_string(), "bool".to_owned()));
        }
        let frame = self.selected_frame();
        let probe = frame.as_ref().map(|frame| frame.activation.probe());
        let expression = self.compile(text, probe)?;
        let activation = frame.map(|frame| frame.activation).unwrap_or_default();
        let value = match self.value(&expression, activation, format)? {
            value if value.starts_with("<cannot read") && self.is_at_entry(activation.eip) => {
                "<not there yet: `s` goes to the first line>".to_owned()
            }
            value => value,
        };
        let types = self.names.as_ref().map(|names| type_name(names.types(), expression.type_id()));
        Ok((value, types.unwrap_or_default()))
    }

    /// Whether an instruction is one by which a function makes room for its variables.
    fn is_at_entry(&mut self, eip: u32) -> bool {
        let Ok(declared) = self.image.declarations.get() else { return false };
        let Some(function) = declared.function_at(eip) else { return false };
        self.lines.entry(self.image, function).is_some_and(|entry| eip < entry)
    }

    /// Whether what is said of a thread holds, such as `holds(2, &m)`.
    fn said_of_threads(&mut self, text: &str) -> Result<bool, String> {
        if self.inside.is_some() {
            return Err(
                "what is said of threads holds in states: `visible` goes to the end of this step"
                    .to_owned(),
            );
        }
        let Some(state) = self.state().cloned() else {
            return Err("there is no state after the error: `back` goes to before".to_owned());
        };
        let atoms = [text.to_owned()];
        let atoms =
            ProgramPropositions::new(&self.program, &atoms).map_err(|error| error.to_string())?;
        let Self { program, looker, .. } = self;
        let looker = looker.get_or_insert_with(|| program.worker());
        let holds = atoms.look(program, looker, &state) != 0;
        match atoms.failures().first() {
            Some(failure) => Err(failure.why.clone()),
            None => Ok(holds),
        }
    }

    /// The value of an expression over what lives all the time.
    pub(crate) fn evaluate_global(&mut self, text: &str) -> Result<String, String> {
        let expression = self.compile(text, None)?;
        self.value(&expression, Activation::default(), None)
    }

    /// Understands an expression; with an instruction it may use local variables.
    pub(crate) fn compile(&mut self, text: &str, at: Option<u32>) -> Result<Expression, String> {
        match &mut self.names {
            Ok(names) => names.compile(text, at).map_err(|error| {
                let before = text.char_indices().take_while(|&(byte, _)| byte < error.at).count();
                format!("{error}\n  {text}\n  {:before$}^", "")
            }),
            Err(why) => Err(format!("expressions need debug information: {why}")),
        }
    }

    fn value(
        &mut self,
        expression: &Expression,
        activation: Activation,
        format: Option<char>,
    ) -> Result<String, String> {
        let thread = match self.state() {
            Some(_) if self.lives(self.thread) || self.inside.is_some() => self.thread,
            Some(_) => self.any_thread().ok_or("the program has ended: `back` goes to before")?,
            None => self.thread,
        };
        self.value_in(thread, expression, activation, format)
    }

    /// The value as a thread sees it.
    fn value_in(
        &mut self,
        thread: ThreadId,
        expression: &Expression,
        activation: Activation,
        format: Option<char>,
    ) -> Result<String, String> {
        let Some((glimpse, names)) = self.glimpse(thread) else {
            return Err("nothing can be seen here: `back` goes to before".to_owned());
        };
        let names = names.as_ref().map_err(ToString::to_string)?;
        let mut memory = FrameMemory { glimpse, activation };
        let value = expression.evaluate(&mut memory);
        match format {
            Some(letter) => formatted(letter, &value),
            None => Ok(Printer::new(names, Limits::default()).print(&value, &mut memory)),
        }
    }

    /// The process of the chosen thread.
    pub(crate) fn chosen_space(&self) -> Option<Space> {
        self.program.space_of(self.state()?, self.thread)
    }

    /// A thread of a process: the chosen one, if it can be.
    fn thread_in(&self, space: Option<Space>) -> Option<ThreadId> {
        let state = self.state()?;
        if space.is_none() || self.chosen_space() == space {
            return Some(self.thread);
        }
        let views = self.program.view(state);
        views.into_iter().find(|view| Some(view.space) == space).map(|view| view.thread)
    }

    fn any_thread(&self) -> Option<ThreadId> {
        let views = self.program.view(self.state()?);
        views.first().map(|view| view.thread)
    }

    /// The names of the local variables of the selected function, the innermost blocks first.
    pub fn locals(&mut self) -> Vec<String> {
        let Some(frame) = self.selected_frame() else { return Vec::new() };
        let Ok(declared) = self.image.declarations.get() else { return Vec::new() };
        let mut names = Vec::new();
        for local in declared.locals(frame.activation.probe(), &self.image.unwinder) {
            if !names.contains(&local.name) {
                names.push(local.name);
            }
        }
        names
    }

    /// The watched expressions' numbers and values; none past the end of the program.
    pub(crate) fn watched(&mut self) -> Vec<(u32, String)> {
        let watches: Vec<(u32, Option<Space>, Expression)> = self
            .points
            .iter()
            .filter_map(|(number, point)| match point {
                Point::Watch { space, expression, .. } => {
                    Some((number, *space, expression.clone()))
                }
                _ => None,
            })
            .collect();
        let value = |(number, space, expression): (u32, Option<Space>, Expression)| {
            let (expression, activation) = (&expression, Activation::default());
            let value = match self.thread_in(space).filter(|thread| *thread != self.thread) {
                Some(thread) => self.value_in(thread, expression, activation, None),
                // Its process has ended.
                None if space.is_some()
                    && self.state().is_some()
                    && self.chosen_space() != space =>
                {
                    return None;
                }
                None => self.value(expression, activation, None),
            };
            value.ok().map(|value| (number, value))
        };
        watches.into_iter().filter_map(value).collect()
    }

    /// The watched expressions that have other values than before.
    pub(crate) fn changes(&mut self, before: &[(u32, String)]) -> Vec<Changed> {
        let now = self.watched();
        self.compare(before, &now)
    }

    /// What became of the watched expressions between two moments.
    pub(crate) fn compare(&self, from: &[(u32, String)], to: &[(u32, String)]) -> Vec<Changed> {
        let mut changed = Vec::new();
        for (number, point) in self.points.iter() {
            let Point::Watch { text, .. } = point else { continue };
            let value = |list: &[(u32, String)]| {
                list.iter().find(|(own, _)| *own == number).map(|(_, value)| value.clone())
            };
            if let (Some(from), Some(to)) = (value(from), value(to))
                && from != to
            {
                changed.push(Changed { number, text: text.clone(), from, to });
            }
        }
        changed
    }
}

/// A number in another base, as gdb's `p/x` writes it.
fn formatted(letter: char, value: &Value) -> Result<String, String> {
    let number = match value {
        Value::Integer { value, .. } => *value,
        Value::Pointer { address, .. } => i128::from(*address),
        Value::Unreadable(address) => return Ok(format!("<cannot read {address:#x}>")),
        Value::Undefined(why) => return Ok(format!("<{why}>")),
        Value::Float { .. } | Value::Aggregate { .. } => {
            return Err(format!("p/{letter} is for numbers and pointers: use p for the others"));
        }
    };
    // Negative numbers are shown with as many bits as they need in C.
    let bits = if (i128::from(i32::MIN)..0).contains(&number) { 32 } else { 64 };
    let unsigned = if number < 0 { number + (1i128 << bits) } else { number };
    match letter {
        'x' => Ok(format!("{unsigned:#x}")),
        'o' => Ok(format!("{unsigned:#o}")),
        't' => Ok(format!("{unsigned:b}")),
        'd' => Ok(number.to_string()),
        'u' => Ok(unsigned.to_string()),
        'c' => Ok(format!("{number} {:?}", (unsigned as u8) as char)),
        other => Err(format!("there is no format {other}: use x, d, u, o, t or c")),
    }
}
