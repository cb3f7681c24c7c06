//! Figures that others published, to be put beside ours.

use serde::{Deserialize, Serialize};

use crate::method::Method;

/// What was published of a method on a model, at the largest scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Published {
    /// The method.
    pub method: Method,
    /// The model.
    pub model: String,
    /// The largest scale.
    pub scale: u32,
    /// Steps of the trail.
    pub length: u32,
    /// Seconds.
    pub seconds: f64,
    /// Mebibytes.
    pub mebibytes: f64,
}

/// As a suite writes it: algorithm, heuristic or nothing, compaction, model, scale, trail length,
/// seconds, mebibytes.
pub(crate) type Row = (String, String, String, String, u32, u32, f64, f64);

impl From<Row> for Published {
    fn from(row: Row) -> Self {
        let (algorithm, heuristic, compaction, model, scale, length, seconds, mebibytes) = row;
        let heuristic = Some(heuristic).filter(|name| !name.is_empty());
        let method = Method { algorithm, heuristic, compaction };
        Self { method, model, scale, length, seconds, mebibytes }
    }
}
