//! The side under test: the machine, or (to test the tests) the runner itself or an emulator.

use super::case::{Case, Outcome};
use super::machine::Machine;
use super::native::Native;

/// Whatever is compared with the CPU.
pub struct Subject {
    /// What reports call it.
    pub name: String,
    executor: Executor,
}

enum Executor {
    Machine(Box<Machine>),
    Runner(Native),
}

impl Subject {
    /// Starts what `STEAM_CPU_SUBJECT` chooses: `native` for the CPU itself, the name of a
    /// user-mode emulator such as `qemu-i386`, and without it the machine, twice: as it is, and
    /// with its general ops alone.
    pub fn start_all() -> Vec<Self> {
        match std::env::var("STEAM_CPU_SUBJECT").as_deref() {
            Err(_) => vec![
                Self::machine("machine", Machine::new(true)),
                Self::machine("general", Machine::new(false)),
            ],
            Ok("native") => vec![Self::runner("native", Native::start(None))],
            Ok(emulator) => vec![Self::runner(emulator, Native::start(Some(emulator)))],
        }
    }

    fn machine(name: &str, machine: Machine) -> Self {
        Self { name: name.to_owned(), executor: Executor::Machine(Box::new(machine)) }
    }

    fn runner(name: &str, runner: Native) -> Self {
        Self { name: name.to_owned(), executor: Executor::Runner(runner) }
    }

    /// Runs the cases.
    pub fn run(&mut self, cases: &[Case]) -> Vec<Outcome> {
        match &mut self.executor {
            Executor::Machine(machine) => cases.iter().map(|case| machine.run(case)).collect(),
            Executor::Runner(runner) => {
                runner.send(cases);
                runner.receive(cases)
            }
        }
    }
}
