//! A System V message queue.

use std::sync::Arc;

use super::usage::Stamp;

/// How many bytes a queue holds, if the program does not say otherwise.
pub const QUEUE_CAPACITY: u32 = 16384;

/// A message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Message {
    /// Its type, above 0.
    pub kind: i32,
    /// What it says.
    pub text: Arc<[u8]>,
}

/// Which message a receiver wants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Wanted {
    /// The first.
    Any,
    /// The first of a type.
    Kind(i32),
    /// The first that is not of a type.
    Except(i32),
    /// The first of the lowest type up to this one.
    UpTo(i32),
}

impl Wanted {
    /// What the arguments of `msgrcv` say.
    pub fn new(kind: i32, except: bool) -> Self {
        match kind {
            0 => Self::Any,
            kind if kind < 0 => Self::UpTo(kind.saturating_neg()),
            kind if except => Self::Except(kind),
            kind => Self::Kind(kind),
        }
    }

    /// Whether a message of a type is one of those that are wanted.
    pub fn takes(self, kind: i32) -> bool {
        match self {
            Self::Any => true,
            Self::Kind(wanted) => kind == wanted,
            Self::Except(unwanted) => kind != unwanted,
            Self::UpTo(limit) => kind <= limit,
        }
    }
}

/// A message queue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MessageQueue {
    messages: Vec<Message>,
    /// How many bytes it holds at most.
    pub capacity: u32,
    /// Who sent the last message, and when, as far as that is kept.
    pub sent: Stamp,
    /// The same of who received one.
    pub received: Stamp,
    /// When it was made, or last changed by `msgctl`, in seconds since 1970.
    pub changed: u64,
}

impl Default for MessageQueue {
    fn default() -> Self {
        let (messages, never) = (Vec::new(), Stamp::default());
        Self { messages, capacity: QUEUE_CAPACITY, sent: never, received: never, changed: 0 }
    }
}

impl MessageQueue {
    /// The messages, oldest first.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// How many bytes wait.
    pub fn bytes(&self) -> u32 {
        self.messages.iter().map(|message| message.text.len() as u32).sum()
    }

    /// Whether there is room for a message of a size.
    pub fn has_room(&self, size: u32) -> bool {
        self.bytes() + size <= self.capacity && (self.messages.len() as u32) < self.capacity
    }

    /// Adds a message.
    pub fn send(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// Where the wanted message lies.
    pub fn position(&self, wanted: Wanted) -> Option<usize> {
        let matching = self.messages.iter().enumerate().filter(|(_, it)| wanted.takes(it.kind));
        match wanted {
            Wanted::UpTo(_) => matching.min_by_key(|(at, it)| (it.kind, *at)).map(|(at, _)| at),
            _ => matching.map(|(at, _)| at).next(),
        }
    }

    /// Takes the message at a position.
    pub fn take(&mut self, position: usize) -> Message {
        self.messages.remove(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wanted_message_is_the_first_of_its_kind() {
        let mut queue = MessageQueue::default();
        for (kind, text) in [(3, "a"), (1, "b"), (2, "c"), (1, "d")] {
            queue.send(Message { kind, text: text.as_bytes().into() });
        }
        let at = |wanted| queue.position(wanted);
        assert_eq!(at(Wanted::new(0, false)), Some(0));
        assert_eq!(at(Wanted::new(1, false)), Some(1));
        assert_eq!(at(Wanted::new(3, true)), Some(1));
        assert_eq!(at(Wanted::new(-2, false)), Some(1), "the lowest type, the oldest of it");
        assert_eq!(at(Wanted::new(4, false)), None);
        assert_eq!(queue.bytes(), 4);
        assert!(queue.has_room(QUEUE_CAPACITY - 4) && !queue.has_room(QUEUE_CAPACITY - 3));
        assert_eq!(&*queue.take(2).text, b"c");
        assert_eq!(queue.messages().len(), 3);
    }
}
