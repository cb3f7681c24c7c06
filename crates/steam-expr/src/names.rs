//! What a name stands for: a variable, a function, a constant or a type.

use std::sync::Arc;

use steam_image::{Function, Keyword, Local, Place, TypeId, TypeKind, Variable};

use crate::error::ExprError;
use crate::nearest::nearest;
use crate::program::ProgramNames;
use crate::scopes::{fits, is_file, parts};
use crate::syntax::Path;

/// The function in which an expression stands.
pub(crate) struct Frame {
    pub locals: Vec<Local>,
    function: Option<Arc<str>>,
    scope: Arc<str>,
    file: Option<Arc<str>>,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Named {
    Variable(TypeId, Place),
    Function(TypeId, u32),
    Constant(TypeId, i64),
}

impl Frame {
    /// Reads the local variables at an instruction.
    pub fn new(program: &ProgramNames<'_>, pc: u32) -> Frame {
        let locals = program.declared.locals(pc, &program.image.unwinder);
        let function = program.declared.function_at(pc);
        Frame {
            locals,
            function: function.map(|function| Arc::clone(&function.name)),
            scope: function.map_or_else(|| Arc::from(""), |function| Arc::clone(&function.scope)),
            file: function.map(|function| Arc::clone(&function.file)),
        }
    }

    /// Returns the innermost local variable of a name.
    pub fn local(&self, path: &Path) -> Option<&Local> {
        if path.global || path.file.is_some() {
            return None;
        }
        let named = |local: &&Local| local.name == path.name();
        match path.qualifiers() {
            [] => self.locals.iter().find(named),
            [function] => {
                let here = |local: &&Local| *local.function == **function;
                self.locals.iter().filter(here).find(named)
            }
            _ => None,
        }
    }
}

/// How far a variable is from the outermost scope: those of files come before those of namespaces
/// and classes, and these before those of functions.
fn distance(variable: &Variable) -> u8 {
    match (variable.function.is_some(), variable.scope.is_empty()) {
        (true, _) => 2,
        (false, false) => 1,
        (false, true) => 0,
    }
}

impl ProgramNames<'_> {
    /// Finds what a name stands for, local variables excepted.
    pub(crate) fn find(
        &self,
        path: &Path,
        frame: Option<&Frame>,
        at: usize,
    ) -> Result<Named, ExprError> {
        if let Some(variable) = self.variable(path, frame, at)? {
            return Ok(Named::Variable(variable.type_id, variable.place.clone()));
        }
        if let Some(function) = self.function(path, at)? {
            return Ok(Named::Function(function.type_id, function.ranges[0].0));
        }
        if let Some((type_id, value)) = self.constant(path, at)? {
            return Ok(Named::Constant(type_id, value));
        }
        Err(ExprError::new(at, self.unknown(path, frame)))
    }

    fn variable(
        &self,
        path: &Path,
        frame: Option<&Frame>,
        at: usize,
    ) -> Result<Option<&Variable>, ExprError> {
        let fitting = |variable: &&Variable| {
            let mut scope = parts(&variable.scope);
            scope.extend(variable.function.as_deref());
            let global = !path.global || scope.len() == path.qualifiers().len();
            let file = path.file.as_ref().is_none_or(|file| is_file(&variable.file, file));
            global && file && fits(&scope, path.qualifiers())
        };
        let mut found: Vec<_> = self.declared.variables(path.name()).filter(fitting).collect();
        if let Some(frame) = frame.filter(|_| path.qualifiers().is_empty()) {
            prefer(&mut found, |it| {
                it.function.is_some() && it.function == frame.function || in_class(it, frame)
            });
        }
        let nearest = found.iter().map(|variable| distance(variable)).min();
        found.retain(|variable| Some(distance(variable)) == nearest);
        prefer(&mut found, |variable| variable.place != Place::OptimisedAway);
        if let Some(file) = frame.and_then(|frame| frame.file.as_ref()) {
            prefer(&mut found, |variable| variable.file == *file);
        }
        match &found[..] {
            [] => Ok(None),
            // Constants of a header are in each file, and the same in all.
            [first, rest @ ..] if rest.iter().all(|other| other.place == first.place) => {
                Ok(Some(first))
            }
            several => Err(ExprError::new(at, ambiguous(path, several))),
        }
    }

    fn function(&self, path: &Path, at: usize) -> Result<Option<&Function>, ExprError> {
        let fitting = |function: &&Function| {
            let file = path.file.as_ref().is_none_or(|file| is_file(&function.file, file));
            file && fits(&parts(&function.scope), path.qualifiers())
        };
        let found: Vec<_> = self.declared.functions(path.name()).filter(fitting).collect();
        match found[..] {
            [] => Ok(None),
            [first, ref rest @ ..] if rest.iter().all(|it| it.ranges == first.ranges) => {
                Ok(Some(first))
            }
            _ => {
                let message =
                    format!("there are {} functions called `{}`", found.len(), path.spelling());
                Err(ExprError::new(at, message))
            }
        }
    }

    fn constant(&self, path: &Path, at: usize) -> Result<Option<(TypeId, i64)>, ExprError> {
        let fitting = |&(type_id, _): &(TypeId, i64)| {
            let home = self.types.get(type_id);
            let outer = parts(&home.scope);
            let mut scope = outer.clone();
            scope.extend(home.name.as_deref());
            fits(&scope, path.qualifiers()) || fits(&outer, path.qualifiers())
        };
        let found: Vec<_> = self.declared.constants(path.name()).filter(fitting).collect();
        match found[..] {
            [] => Ok(None),
            [first, ref rest @ ..] if rest.iter().all(|it| it.1 == first.1) => Ok(Some(first)),
            _ => {
                let message = format!(
                    "there are several constants `{}` with different values",
                    path.spelling()
                );
                Err(ExprError::new(at, message))
            }
        }
    }

    fn unknown(&self, path: &Path, frame: Option<&Frame>) -> String {
        let spelling = path.spelling();
        let hidden = match path.qualifiers().last() {
            Some(function) if self.declared.functions(function).next().is_some() => format!(
                ", or it is a local variable of `{function}`, which exists while that runs only"
            ),
            _ => String::new(),
        };
        let known = match self.declared.variables(path.name()).next() {
            Some(variable) => format!("; there is {}", qualified(variable, false)),
            None => {
                let locals = frame.into_iter().flat_map(|frame| frame.locals.iter());
                let names = locals.map(|local| &*local.name).chain(self.declared.names());
                nearest(path.name(), names)
            }
        };
        format!("there is no variable `{spelling}`{hidden}{known}")
    }

    /// Says whether a name is a type and not a variable too.
    pub(crate) fn is_type(&self, path: &Path) -> bool {
        self.declared.variables(path.name()).next().is_none() && self.named_type(path).is_some()
    }

    /// Finds a type by its bare name.
    pub(crate) fn named_type(&self, path: &Path) -> Option<TypeId> {
        let mut found = self.types_called(path);
        prefer(&mut found, |id| matches!(self.types.get(*id).kind, TypeKind::Typedef(_)));
        found.first().copied()
    }

    /// Finds a type by the word with which it is declared, and its name.
    pub(crate) fn tagged_type(
        &self,
        keyword: Keyword,
        path: &Path,
        at: usize,
    ) -> Result<TypeId, ExprError> {
        let tagged = |id: &TypeId| match &self.types.get(*id).kind {
            TypeKind::Aggregate(aggregate) => {
                (aggregate.keyword == Keyword::Union) == (keyword == Keyword::Union)
                    && keyword != Keyword::Enum
            }
            TypeKind::Enum(_) => keyword == Keyword::Enum,
            _ => false,
        };
        let found = self.types_called(path).into_iter().find(tagged);
        found.ok_or_else(|| {
            let near = nearest(path.name(), self.declared.type_names());
            let message = format!("there is no `{} {}`{near}", keyword.word(), path.spelling());
            ExprError::new(at, message)
        })
    }

    fn types_called(&self, path: &Path) -> Vec<TypeId> {
        let fitting = |id: &TypeId| fits(&parts(&self.types.get(*id).scope), path.qualifiers());
        self.declared.types_named(path.name()).filter(fitting).collect()
    }
}

/// Whether a static member is one of the class to which the function belongs.
fn in_class(variable: &Variable, frame: &Frame) -> bool {
    !variable.scope.is_empty() && frame.scope.starts_with(&*variable.scope)
}

/// Keeps those that `good` likes, if there are any.
fn prefer<T>(found: &mut Vec<T>, good: impl Fn(&T) -> bool) {
    if found.iter().any(&good) {
        found.retain(good);
    }
}

/// How to name a variable so that others of its name are not meant.
fn qualified(variable: &Variable, whole_path: bool) -> String {
    let name = &variable.name;
    let scope: String = parts(&variable.scope).iter().map(|part| format!("{part}::")).collect();
    let base = variable.file.rsplit('/').next().unwrap_or_default();
    match (&variable.function, &*scope) {
        _ if whole_path => format!("'{}'::{scope}{name}", variable.file),
        (Some(function), _) => format!("{scope}{function}::{name}"),
        (None, "") => format!("{base}::{name}"),
        (None, _) => format!("{scope}{name}"),
    }
}

fn ambiguous(path: &Path, several: &[&Variable]) -> String {
    let mut spellings: Vec<_> = several.iter().map(|variable| qualified(variable, false)).collect();
    spellings.sort();
    spellings.dedup();
    if spellings.len() < several.len() {
        spellings = several.iter().map(|variable| qualified(variable, true)).collect();
        spellings.sort();
    }
    format!("`{}` is ambiguous: write {}", path.spelling(), spellings.join(" or "))
}
