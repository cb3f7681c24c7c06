//! Instructions of a thawed address space, and when decoded ones are no longer true.

use std::sync::atomic::Ordering;

use super::{EMPTY, ENTRIES, LiveMemory};
use crate::access::{AccessError, AccessKind, Fault, Problem};
use crate::intern::Component;
use crate::page::{PAGE_SIZE, page_of};
use crate::place::Space;
use crate::policy::Policy;
use crate::region::{Region, RegionKind, Regions};
use crate::slots::Key;
use crate::table::Table;

/// What a page was when instructions of it were decoded.
pub(super) struct Origin {
    /// Its content; none if that has no name: it was written since the state was thawed, or others may
    /// write it.
    content: Option<Component>,
    /// The mapping that it lay in.
    region: Option<(u32, Region)>,
}

impl<P: Policy> LiveMemory<P> {
    /// Whether the bytes of a page of code may differ between two states that have the same
    /// mappings. What the file says is code, and may not be written, does not, unless the program
    /// changes its own protection.
    fn may_change(&self, page: u32) -> bool {
        let region = self.layout.regions.find(page << 12);
        region.is_none_or(|(_, it)| !matches!(it.kind, RegionKind::Image(_)) || it.protection.write)
    }

    /// What a page of code is now.
    fn origin(&self, page: u32) -> Origin {
        let region = self.layout.regions.find(page << 12);
        let in_common = region.is_some_and(|(_, it)| matches!(it.kind, RegionKind::Shared(_)));
        let own = !in_common && !self.dirty.contains_key(&self.layout.space.page(page));
        let content = own.then(|| self.content(&self.table, self.layout.space, page));
        Origin { content, region }
    }

    /// The content of a page in a state. Not as a part of any step: decoded code is no part of a state.
    fn content(&self, table: &Table, space: Space, page: u32) -> Component {
        let slot = self.stores.slots.find(Key::Page(space.page(page)));
        slot.map_or(Component(0), |slot| table.get(slot))
    }

    /// Marks decoded code stale where another state has other bytes, or other mappings if
    /// `regions` are given. In an address space that is gone nothing is executed, and what comes after it
    /// may be like what was before.
    pub(super) fn forget_other_code(
        &mut self,
        table: &Table,
        space: Space,
        regions: Option<&Regions>,
    ) {
        if regions.is_some_and(|regions| regions.iter().next().is_none()) {
            return;
        }
        let differs = |page: &u32| {
            let origin = self.code.get(page);
            origin.is_none_or(|origin| {
                origin.content != Some(self.content(table, space, *page))
                    || regions.is_some_and(|it| it.find(page << 12) != origin.region)
            })
        };
        let all = regions.is_some() || self.stores.patches_code.load(Ordering::Relaxed);
        let stale: Vec<u32> = match all {
            true => self.code.keys().copied().filter(differs).collect(),
            false => self.changing_code.iter().copied().filter(differs).collect(),
        };
        for page in stale {
            self.forget_code(page);
        }
    }

    /// Whether code was decoded that may differ from state to state.
    pub fn has_changing_code(&self) -> bool {
        !self.changing_code.is_empty()
    }

    pub(super) fn forget_code(&mut self, page: u32) -> bool {
        self.changing_code.remove(&page);
        let known = self.code.remove(&page).is_some();
        if known {
            self.code_changes.push(page);
        }
        known
    }

    /// Up to 15 bytes of instructions at an address; fewer at the end of executable memory. Their
    /// pages are remembered: a write to them asks first to forget what was decoded.
    pub fn fetch(&mut self, address: u32) -> Result<([u8; 15], usize), Fault> {
        let (bytes, length) = self.fetch_once(address)?;
        for page in [page_of(address), page_of(address.wrapping_add(length as u32 - 1))] {
            if !self.code.contains_key(&page) {
                self.code.insert(page, self.origin(page));
                self.write[page as usize % ENTRIES] = EMPTY;
                if self.may_change(page) {
                    self.changing_code.insert(page);
                }
            }
        }
        Ok((bytes, length))
    }

    /// The same bytes, for an instruction that is executed once and not kept.
    pub fn fetch_once(&mut self, address: u32) -> Result<([u8; 15], usize), Fault> {
        let mut bytes = [0; 15];
        let mut length = 0;
        while length < bytes.len() {
            let at = address.wrapping_add(length as u32);
            let page = page_of(at);
            let problem = match self.layout.regions.find(at) {
                None => Some(Problem::Unmapped),
                Some((_, region)) if !region.protection.execute => Some(Problem::Protected),
                Some((_, region)) => {
                    self.is_past_file_end(region.kind, at).then_some(Problem::PastFileEnd)
                }
            };
            if let Some(problem) = problem {
                if length > 0 {
                    break;
                }
                self.error = Some(AccessError {
                    problem,
                    kind: AccessKind::Execute,
                    byte: at,
                    address: at,
                    size: 1,
                });
                return Err(Fault);
            }
            let frame = self.frame(page) as usize;
            let from = (at & 0xfff) as usize;
            let part = (PAGE_SIZE - from).min(bytes.len() - length);
            bytes[length..length + part]
                .copy_from_slice(&self.frames[frame + from..frame + from + part]);
            length += part;
        }
        Ok((bytes, length))
    }

    /// The pages whose decoded instructions are no longer true.
    pub fn take_code_changes(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.code_changes)
    }

    /// Whether decoded instructions must be forgotten before going on.
    pub fn code_changed(&self) -> bool {
        !self.code_changes.is_empty()
    }
}
