//! Who observes what happens inside a step: none while searching, a trail while replaying.

/// A listener to the events of steps.
///
/// Events are passed as closures, so that a step whose observer is [`Silent`] does not even make
/// them.
pub trait Observer<E> {
    /// Whether anything is done with events. Where false, a model may skip what only serves them.
    const LISTENS: bool;

    /// Takes note of an event.
    fn observe(&mut self, event: impl FnOnce() -> E);
}

/// Hears nothing and costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl<E> Observer<E> for Silent {
    const LISTENS: bool = false;

    fn observe(&mut self, _event: impl FnOnce() -> E) {}
}

/// Keeps all events in order.
#[derive(Clone, Debug)]
pub struct Recorder<E> {
    /// What happened so far.
    pub events: Vec<E>,
}

impl<E> Default for Recorder<E> {
    fn default() -> Self {
        Self { events: Vec::new() }
    }
}

impl<E> Observer<E> for Recorder<E> {
    const LISTENS: bool = true;

    fn observe(&mut self, event: impl FnOnce() -> E) {
        self.events.push(event());
    }
}
