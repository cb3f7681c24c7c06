//! The channels of all processes: frozen ones as the state holds them, and those that changed.

use std::sync::Arc;

use steam_state::{Component, Interner, Key, Recorder, Table};

use crate::kernel::{
    Channel, Counter, Direction, MailQueue, MessageQueue, Pipe, SemaphoreSet, SignalFile, Socket,
    TimerFile, Watch,
};
use crate::parts::{Kind, Parts};
use crate::stores::GuestStores;

/// All channels, by number.
#[derive(Debug)]
pub struct Channels(Parts<Channel>);

impl Kind for Channel {
    type Number = u32;
    type Frozen = Self;
    type Live = Self;

    fn key(number: u32) -> Key {
        Key::Channel(number)
    }

    fn store(stores: &GuestStores) -> &Interner<Self> {
        &stores.channels
    }

    fn thaw(id: Component, stores: &GuestStores) -> Self {
        stores.channels.get(id).clone()
    }

    fn freeze(live: Self, stores: &GuestStores) -> Component {
        stores.channels.intern(live)
    }
}

/// Looks at a channel as one of its kinds, or changes it.
macro_rules! kind {
    ($look:ident $change:ident $kind:ident $type:ty, $what:literal) => {
        #[doc = $what]
        pub fn $look(&self, number: u32) -> Option<&$type> {
            // Whoever names a channel of another kind names none of this one, and says what that means.
            match self.get(number) {
                Channel::$kind(it) => Some(it),
                _ => None,
            }
        }

        #[doc = $what]
        pub fn $change(&mut self, number: u32) -> Option<&mut $type> {
            match self.get_mut(number) {
                Channel::$kind(it) => Some(it),
                _ => None,
            }
        }
    };
}

impl Channels {
    /// The channels of a frozen state.
    pub fn new(stores: Arc<GuestStores>, table: Table, recorder: Recorder) -> Self {
        Self(Parts::new(stores, table, recorder))
    }

    /// Goes on with another frozen state.
    pub fn attach(&mut self, table: &Table) {
        self.0.attach(table);
    }

    /// Interns the channels that changed, and says which components the state now has.
    pub fn freeze(&mut self, put: &mut dyn FnMut(Key, Component)) {
        self.0.freeze(put);
    }

    /// A channel.
    pub fn get(&self, number: u32) -> &Channel {
        self.0.get(number)
    }

    /// A channel, to be changed.
    pub fn get_mut(&mut self, number: u32) -> &mut Channel {
        self.0.live(number)
    }

    /// Makes a channel, with the lowest number that none has.
    pub fn add(&mut self, channel: Channel) -> u32 {
        let mut number = 0;
        while *self.get(number) != Channel::None {
            number += 1;
        }
        self.0.set(number, channel);
        number
    }

    /// Removes a channel.
    pub fn remove(&mut self, number: u32) {
        self.0.set(number, Channel::None);
    }

    kind!(pipe pipe_mut Pipe Pipe, "A pipe.");
    kind!(socket socket_mut Socket Socket, "A socket.");
    kind!(direction direction_mut Direction Direction, "One direction of a connection.");
    kind!(semaphores semaphores_mut Semaphores SemaphoreSet, "A set of semaphores.");
    kind!(queue queue_mut Queue MessageQueue, "A System V message queue.");
    kind!(mail_queue mail_queue_mut MailQueue MailQueue, "A POSIX message queue.");
    kind!(counter counter_mut Counter Counter, "What `eventfd` counts.");
    kind!(timer_file timer_file_mut TimerFile TimerFile, "A timer of `timerfd`.");
    kind!(signal_file signal_file_mut SignalFile SignalFile, "What `signalfd` reads.");
    kind!(watch watch_mut Watch Watch, "What `epoll` watches.");
}
