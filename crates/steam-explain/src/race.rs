//! Data races as reports show them: both accesses, what they touch, and what each thread holds.

use steam_image::Image;
use steam_model::{Delta, Model, Recorder};
use steam_program::{Action, Atomicity, Event, Program, Race, Side, Worker};
use steam_report::{BlockStory, Kind, remembered_stack};
use steam_state::{Space, Table, ThreadId};
use steam_trail::{AccessInfo, Place, Point, Step, ThreadInfo, ViolationInfo, without_indices};

use crate::Explainer;
use crate::finding::{block, frames};
use crate::owned::{Bytes, Owned, owned};
use crate::places::users_place;
use crate::retrace::Retraced;
use crate::steps::value;

/// Values of more bytes than this are not told.
const LARGEST: u32 = 8;

/// A race, with what can be found out about it in its state.
pub struct Racing {
    /// The two accesses.
    pub race: Race,
    /// The heap block that is touched, if it is one.
    block: Option<BlockStory>,
    /// The thread on whose stack it lies, if it does.
    stack: Option<ThreadId>,
    /// The variable of a thread that it is, if it is one.
    owned: Option<Owned>,
    /// What lies there.
    now: Option<String>,
    /// What the writers put there, in the order of the accesses.
    then: [Option<String>; 2],
}

impl Racing {
    /// Looks at a race. The worker is the one that made the steps, and makes no more of them.
    pub(crate) fn new(program: &Program, worker: &mut Worker, state: &Table, race: Race) -> Self {
        let mut racing = Self::named(program, worker, state, race);
        let [first, _] = race.sides;
        racing.then = race.sides.map(|side| written(program, worker, state, side));
        racing.now = memory(program, worker, state, first);
        racing
    }

    /// The same without the values. The worker makes no steps.
    fn named(program: &Program, worker: &mut Worker, state: &Table, race: Race) -> Self {
        let [first, _] = race.sides;
        let block = program.block_at(worker, state, first.thread, first.access.address);
        let stack = program.stack_owner(worker, state, first.thread, first.access.address);
        let (address, size) = common(&race);
        let bytes = Bytes { thread: first.thread, address, size };
        let owned = owned(program, worker, state, bytes);
        Self { race, block, stack, owned, now: None, then: [None, None] }
    }
}

/// The names by which reports call the memory of a race, also those that stand for all elements of arrays. The
/// worker makes no steps, before or later.
pub fn race_names(
    program: &Program,
    worker: &mut Worker,
    state: &Table,
    race: Race,
) -> Vec<String> {
    let racing = Racing::named(program, worker, state, race);
    let explainer = Explainer::new(program);
    let (what, _) = explainer.cell(&racing);
    let mut names = explainer.names_for(&racing, &what);
    let site = racing.block.as_ref().and_then(|block| block.allocated.as_ref());
    names.extend(
        site.map(|site| format!("heap block of {}", explainer.place(&site.stack).line_position())),
    );
    names.push(what);
    names
}

/// The bytes that both accesses touch: their address and their number.
fn common(race: &Race) -> (u32, u32) {
    let [first, second] = race.sides;
    let begin = first.access.place.number().max(second.access.place.number());
    let end = |side: Side| side.access.place.number() + u64::from(side.access.size);
    let place = first.access.place;
    let address = place.address().wrapping_add((begin - place.number()) as u32);
    (address, (end(first).min(end(second)) - begin) as u32)
}

/// The value where an access is.
fn memory(program: &Program, worker: &mut Worker, state: &Table, side: Side) -> Option<String> {
    let space = program.space_of(state, side.thread)?;
    let mut bytes = vec![0; side.access.size.min(LARGEST) as usize];
    let fits = side.access.size <= LARGEST && !side.whole;
    (fits && program.read_memory(worker, state, space, side.access.address, &mut bytes))
        .then(|| value(&bytes))
}

/// What a writer is about to write.
fn written(program: &Program, worker: &mut Worker, state: &Table, side: Side) -> Option<String> {
    if !side.access.write || side.whole {
        return None;
    }
    let mut recorder = Recorder::default();
    let action = Action { thread: side.thread, choice: 0 };
    program.step(worker, state, action, &mut Delta::new(), &mut recorder);
    recorder.events.iter().find_map(|event| match event {
        Event::Wrote { address, new, .. } if *address == side.access.address => Some(value(new)),
        _ => None,
    })
}

impl Explainer<'_> {
    pub(crate) fn race(&mut self, retraced: &Retraced, racing: &Racing) -> ViolationInfo {
        let [first, second] = racing.race.sides;
        let threads = self.threads(retraced, None);
        let (what, bytes) = self.cell(racing);
        let places = racing.race.sides.map(|side| {
            retraced.stacks.get(&side.thread).map(|stack| self.place(stack)).unwrap_or_default()
        });
        let headline = format!("data race on {} ({bytes})", quoted(&what));
        let mut points = vec![
            self.point(&threads, racing, 0, &places[0], true),
            self.point(&threads, racing, 1, &places[1], false),
        ];
        if points[0].place == points[1].place {
            let other = points.remove(1);
            points[0].label = format!("{}; {}", points[0].label, other.label);
        }
        let steps = self.steps(retraced);
        for side in racing.race.sides {
            points.extend(creation(
                self.program.image(),
                retraced,
                &steps,
                side,
                &self.who(side.thread),
            ));
        }
        let mut text = Vec::new();
        for side in racing.race.sides {
            let stack = retraced.stacks.get(&side.thread).map(Vec::as_slice).unwrap_or_default();
            text.push(format!("call stack of {}", self.who(side.thread)));
            frames(&mut text, stack);
        }
        if let Some(story) = &racing.block {
            block(&mut text, story);
        }
        if let Some(Owned { name, owner, on_stack }) = &racing.owned {
            let on = if *on_stack { "on the stack of " } else { "in the storage of " };
            text.push(format!("note: `{name}` lies {on}{}", self.who(*owner)));
        }
        text.push("note: nothing orders the two accesses".to_owned());
        text.extend(self.doubt(racing, &what));
        let (one, other) = (self.who(first.thread), self.who(second.thread));
        ViolationInfo {
            kind: Kind::Race.name().to_owned(),
            family: Kind::Race.family().to_owned(),
            message: headline.clone(),
            summary: format!(
                "{headline}: {one} {} here, {other} {} at {}",
                verb(first),
                verb(second),
                places[1].line_position()
            ),
            headline,
            location: places[0].clone(),
            thread: Some(first.thread.0),
            step: u32::try_from(retraced.steps.len()).ok(),
            excerpts: self.sources.excerpts(&points),
            accesses: self.accesses(&threads, racing, &what, &places),
            threads,
            text,
            trail: None,
        }
    }

    /// What to do if it is not known whether the accesses are atomic, or if the program means them so.
    fn doubt(&self, racing: &Racing, what: &str) -> Option<String> {
        let race = &racing.race;
        if self.program.is_volatile(race) {
            let note = "note: the accesses are those of volatile objects, which are not atomic in C; where they \
                        are intended so, --volatile atomic says so";
            return Some(note.to_owned());
        }
        if !race.is_doubtful() {
            return None;
        }
        if race.atomic.contains(&Atomicity::Old) {
            return Some(
                "note: the debug information does not say whether these accesses are atomic: it \
                 mentions _Atomic of C from DWARF 5 on; compile with -gdwarf-5"
                    .to_owned(),
            );
        }
        let unknown =
            "note: the debug information does not say whether all of these accesses are atomic";
        let says = self
            .names_for(racing, what)
            .into_iter()
            .find(|name| self.program.is_settled_by(race, name));
        Some(match says {
            Some(name) => format!("{unknown}; if they are, --atomic-var '{name}' says so"),
            None => unknown.to_owned(),
        })
    }

    /// Names by which a user may list what is touched, the best one first.
    fn names_for(&self, racing: &Racing, what: &str) -> Vec<String> {
        let atomics = self.program.atomics();
        let sides = racing.race.sides;
        let members = sides.into_iter().filter_map(|side| atomics.member(side.instruction()));
        let functions = sides.into_iter().filter_map(|side| {
            let frames = self.program.image().lines.frames(side.instruction());
            let function = frames.into_iter().find(|frame| !frame.inlined)?.function?;
            Some(function.split_once('(').map_or(function.clone(), |(name, _)| name.to_owned()))
        });
        let mut names = vec![without_indices(what)];
        names.extend(members.map(|name| without_indices(&name)));
        names.extend(functions);
        names
    }

    /// What is touched, as the user would name it, and how much of it.
    fn cell(&self, racing: &Racing) -> (String, String) {
        let (address, size) = common(&racing.race);
        let place = racing.race.sides[0].access.place;
        let bytes = if size == 1 { "1 byte".to_owned() } else { format!("{size} bytes") };
        if place.space() == Space::SHARED {
            return (format!("shared memory at {address:#010x}"), bytes);
        }
        let atomics = self.program.atomics();
        let named = atomics.name(address, size);
        if let Some(name) = named.or_else(|| self.names.variable(address)) {
            // Functions of the library touch more than they have to.
            let end = name.find('[').filter(|_| racing.race.foreign).unwrap_or(name.len());
            return (name[..end].to_owned(), bytes);
        }
        if let Some(owned) = &racing.owned {
            return (owned.name.clone(), bytes);
        }
        match &racing.block {
            Some(story) => {
                let site = story.allocated.as_ref().map(|site| self.place(&site.stack));
                let site = site.filter(|site| site.line.is_some());
                let of = site.map_or(String::new(), |site| format!(" of {}", site.line_position()));
                let offset = address.wrapping_sub(story.address);
                let bytes = format!("{bytes} at offset {offset}");
                let sides = racing.race.sides;
                let member = sides.into_iter().find_map(|side| atomics.member(side.instruction()));
                match member {
                    Some(member) => (member, format!("{bytes} of the heap block{of}")),
                    None => (format!("heap block{of}"), bytes),
                }
            }
            None => (self.region(address, racing), bytes),
        }
    }

    /// Memory that has no name: on whose stack it lies, or where.
    fn region(&self, address: u32, racing: &Racing) -> String {
        match racing.stack {
            Some(owner) => format!("the stack of {}", self.who(owner)),
            None => format!("memory at {address:#010x}"),
        }
    }

    fn accesses(
        &self,
        threads: &[ThreadInfo],
        racing: &Racing,
        what: &str,
        places: &[Place; 2],
    ) -> Vec<AccessInfo> {
        let access = |(index, (side, place)): (usize, (Side, &Place))| AccessInfo {
            thread: side.thread.0,
            variable: what.to_owned(),
            write: side.access.write,
            atomic: match racing.race.atomic[index] {
                Atomicity::Atomic => Some(true),
                Atomicity::Plain => Some(false),
                Atomicity::Untyped | Atomicity::Unknown | Atomicity::Old => None,
            },
            place: place.clone(),
            holds: held(threads, side),
        };
        racing.race.sides.into_iter().zip(places).enumerate().map(access).collect()
    }

    /// One of the accesses in the source.
    fn point(
        &self,
        threads: &[ThreadInfo],
        racing: &Racing,
        index: usize,
        place: &Place,
        primary: bool,
    ) -> Point {
        let side = racing.race.sides[index];
        let value = match (side.access.write, &racing.then[index], &racing.now) {
            (true, Some(then), Some(now)) => format!(" {then} (was {now})"),
            (true, Some(then), None) => format!(" {then}"),
            (false, _, Some(now)) => format!(" {now}"),
            _ => String::new(),
        };
        let held = held(threads, side);
        let holding = match held.is_empty() {
            true => "no lock".to_owned(),
            false => held.join(", "),
        };
        let atomically = match racing.race.atomic[index] {
            Atomicity::Atomic => " atomically",
            _ => "",
        };
        let who = self.who(side.thread);
        let label = format!("{who} {}{value}{atomically}, holding {holding}", verb(side));
        Point { place: place.clone(), label, primary }
    }
}

/// What the thread of an access holds.
fn held(threads: &[ThreadInfo], side: Side) -> Vec<String> {
    let holder = threads.iter().find(|thread| thread.id == side.thread.0);
    holder.iter().flat_map(|it| &it.holds).map(|held| held.what.clone()).collect()
}

/// A name as it stands in a sentence.
fn quoted(what: &str) -> String {
    if what.contains(' ') { what.to_owned() } else { format!("`{what}`") }
}

fn verb(side: Side) -> &'static str {
    if side.access.write { "writes" } else { "reads" }
}

/// Where a thread was created.
fn creation(
    image: &Image,
    retraced: &Retraced,
    steps: &[Step],
    side: Side,
    who: &str,
) -> Option<Point> {
    let creates =
        |event: &Event| matches!(event, Event::Created { thread, .. } if *thread == side.thread);
    let (traced, step) =
        retraced.steps.iter().zip(steps).rfind(|(traced, _)| traced.events.iter().any(creates))?;
    let event = traced.events.iter().rfind(|event| creates(event))?;
    let Event::Created { eip, callers, .. } = event else { return None };
    let place = users_place(&remembered_stack(image, *eip, callers));
    let label = format!("{who} created here (step {})", step.number);
    Some(Point { place, label, primary: false })
}
