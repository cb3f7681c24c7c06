//! Thread-local variables of the C library.

use steam_image::{Image, SymbolKind};
use steam_vm::Cpu;

/// What is added to a thread's gs base to find a variable of that thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ThreadVariable(u32);

impl ThreadVariable {
    /// Looks for a variable by its name; the block of the program ends at the gs base.
    pub(super) fn find(image: &Image, name: &str) -> Option<Self> {
        let block = image.thread_local?;
        let symbol = image.symbols.find(name).find(|symbol| symbol.kind == SymbolKind::Tls)?;
        let size = block.memory_size.checked_next_multiple_of(block.alignment.max(1))?;
        Some(Self(symbol.address.wrapping_sub(size)))
    }

    /// `errno`, which is no variable in musl.
    pub(super) fn errno(image: &Image) -> Option<Self> {
        let names = ["errno", "__libc_errno"];
        let variable = names.iter().find_map(|name| Self::find(image, name));
        variable.or_else(|| Self::field_of_thread(image))
    }

    /// musl: a field of the thread descriptor at gs:0, whose offset only the code of
    /// `__errno_location` knows: `mov %gs:0,%eax; add $offset,%eax; ret`.
    fn field_of_thread(image: &Image) -> Option<Self> {
        let symbol = image.symbols.find("__errno_location").next()?;
        let segment = image.segment_at(symbol.address)?;
        let code = segment.data.get((symbol.address - segment.address) as usize..)?;
        match code {
            [0x65, 0xa1, 0, 0, 0, 0, 0x83, 0xc0, offset, 0xc3, ..] => {
                Some(Self(u32::from(*offset)))
            }
            _ => None,
        }
    }

    /// The variable's address in the running thread; a thread without thread-local memory has none.
    fn address(self, cpu: &Cpu) -> Option<u32> {
        (cpu.gs_base != 0).then(|| cpu.gs_base.wrapping_add(self.0))
    }

    /// The variable's value.
    pub(super) fn get(self, cpu: &mut Cpu) -> Option<u32> {
        let mut bytes = [0; 4];
        read(cpu, self.address(cpu)?, &mut bytes)?;
        Some(u32::from_le_bytes(bytes))
    }

    /// Changes the variable's value.
    pub(super) fn set(self, cpu: &mut Cpu, value: u32) {
        let Some(address) = self.address(cpu) else { return };
        if cpu.memory.write_bytes(address, &value.to_le_bytes()).is_err() {
            cpu.memory.take_error();
        }
    }
}

/// Reads what the library owns, without blaming the program if that cannot be done.
pub(super) fn read(cpu: &mut Cpu, address: u32, bytes: &mut [u8]) -> Option<()> {
    let result = cpu.memory.read_bytes(address, bytes);
    if result.is_err() {
        cpu.memory.take_error();
    }
    result.ok()
}
