//! A POSIX message queue: messages by priority.

use std::sync::Arc;

/// A message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mail {
    /// The higher, the sooner it is received.
    pub priority: u32,
    /// What it says.
    pub text: Arc<[u8]>,
}

/// How a process is notified of a message.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Announcement {
    /// Not at all; but no other process can be.
    None,
    /// By a signal; by none if its number is 0.
    Signal {
        /// Which one.
        number: u8,
        /// What it brings along.
        value: u32,
    },
    /// By bytes that a netlink socket receives.
    Cookie {
        /// The channel of the socket.
        socket: u32,
        /// The bytes.
        bytes: Arc<[u8]>,
    },
}

/// A process that wants to be notified of the message that comes to an empty queue, once.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Registration {
    /// Its number.
    pub process: u32,
    /// How.
    pub announcement: Announcement,
}

/// A POSIX message queue.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MailQueue {
    /// The next one first.
    mails: Vec<Mail>,
    /// How many messages it holds.
    pub capacity: u32,
    /// The longest message.
    pub longest: u32,
    /// Open descriptions.
    pub opened: u32,
    /// Whether it can be found by its name.
    pub named: bool,
    /// Who is notified when a message comes and none was there.
    pub registration: Option<Registration>,
}

impl MailQueue {
    /// A queue that was just made, with its name.
    pub fn new(capacity: u32, longest: u32) -> Self {
        let mails = Vec::new();
        Self { mails, capacity, longest, opened: 0, named: true, registration: None }
    }

    /// How many messages wait.
    pub fn len(&self) -> usize {
        self.mails.len()
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.mails.is_empty()
    }

    /// Whether there is room for one more.
    pub fn has_room(&self) -> bool {
        self.mails.len() < self.capacity as usize
    }

    /// Adds a message after those that are as urgent.
    pub fn send(&mut self, mail: Mail) {
        let place = self.mails.iter().position(|it| it.priority < mail.priority);
        self.mails.insert(place.unwrap_or(self.mails.len()), mail);
    }

    /// The message that comes next.
    pub fn next(&self) -> Option<&Mail> {
        self.mails.first()
    }

    /// Removes the message that comes next.
    pub fn skip(&mut self) {
        if !self.mails.is_empty() {
            self.mails.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_urgent_comes_first_and_of_those_the_oldest() {
        let mut queue = MailQueue::new(4, 10);
        for (priority, text) in [(1, "a"), (5, "b"), (1, "c"), (5, "d")] {
            assert!(queue.has_room());
            queue.send(Mail { priority, text: text.as_bytes().into() });
        }
        assert!(!queue.has_room());
        let mut order = Vec::new();
        while let Some(mail) = queue.next() {
            order.extend_from_slice(&mail.text);
            queue.skip();
        }
        assert_eq!(order, b"bdac");
    }
}
