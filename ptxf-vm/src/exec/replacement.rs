//! Functions of a machine's user that compute forms instead of the table, and the matrix unit.

use std::fmt;
use std::sync::Arc;

use ptxf::spec::{FormInfo, MOST_OPERANDS, Spelling};

/// Computes an approximate form on register bits. The error says why there is no result.
type Approximate = dyn Fn(&FormInfo, &[u64]) -> Result<u64, String> + Send + Sync;
/// Changes the result of a spelling on these operands.
type Change = dyn Fn(&Spelling, &[u64], u64) -> u64 + Send + Sync;
/// Returns `true` for a spelling whose results change.
type Concerns = dyn Fn(&Spelling) -> bool + Send + Sync;

/// The functions that replace results of the table, for a machine or for one spelling, and the
/// matrix unit.
#[derive(Clone, Default)]
pub(crate) struct Replacement {
    approximate: Option<Arc<Approximate>>,
    changes: Option<(Arc<Concerns>, Arc<Change>)>,
    /// The number of the target whose matrix unit multiplies. `None` is the module's target.
    pub(crate) matrix: Option<u32>,
}

impl Replacement {
    /// Sets the function of approximate forms. `None` is the default model.
    pub(crate) fn set_approximate(&mut self, results: Option<Arc<Approximate>>) {
        self.approximate = results;
    }

    pub(crate) fn set_changes(&mut self, concerns: Arc<Concerns>, change: Arc<Change>) {
        self.changes = Some((concerns, change));
    }

    /// Returns the functions that concern a spelling. Returns an error if the model has no results
    /// for it: a model has results for all operands of a form or for none.
    pub(crate) fn of(&self, spelling: &Spelling) -> Result<Self, String> {
        let form = spelling.form;
        let replacement = Self {
            approximate: self.approximate.clone().filter(|_| form.approximate),
            changes: self.changes.clone().filter(|(concerns, _)| concerns(spelling)),
            matrix: self.matrix,
        };
        match &replacement.approximate {
            Some(results) => results(form, &[0; MOST_OPERANDS][..form.operands.len()]).map(|_| replacement),
            None => Ok(replacement),
        }
    }

    /// Returns `true` if a model computes approximate forms.
    pub(crate) const fn is_modelled(&self) -> bool {
        self.approximate.is_some()
    }

    /// Returns `true` if the table computes the results.
    pub(crate) const fn is_none(&self) -> bool {
        self.approximate.is_none() && self.changes.is_none()
    }

    /// Returns the result of a spelling. Returns `None` if the model has no result for these
    /// operands.
    pub(crate) fn result(&self, spelling: &Spelling, operands: &[u64]) -> Option<u64> {
        let result = match &self.approximate {
            Some(results) => results(spelling.form, operands).ok(),
            None => spelling.call(operands),
        }?;
        Some(self.changes.as_ref().map_or(result, |(_, change)| change(spelling, operands, result)))
    }
}

impl fmt::Debug for Replacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (approximate, changes) = (self.approximate.is_some(), self.changes.is_some());
        f.debug_struct("Replacement")
            .field("approximate", &approximate)
            .field("changes", &changes)
            .field("matrix", &self.matrix)
            .finish()
    }
}
