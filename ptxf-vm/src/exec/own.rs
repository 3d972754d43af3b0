//! Forms that a machine computes by something else than the table.

use std::fmt;
use std::sync::Arc;

use ptxf::spec::{FormInfo, MOST_OPERANDS, Spelling};

/// What computes an approximate form on register bits, or says why it has no results for it.
type Approximate = dyn Fn(&FormInfo, &[u64]) -> Result<u64, String> + Send + Sync;
/// What makes something else of the result of a spelling on these operands.
type Change = dyn Fn(&Spelling, &[u64], u64) -> u64 + Send + Sync;
/// Which spellings it changes.
type Concerns = dyn Fn(&Spelling) -> bool + Send + Sync;

/// What a machine has of its own; what a form has of it, once it is asked with [`Own::of`].
#[derive(Clone, Default)]
pub(crate) struct Own {
    approximate: Option<Arc<Approximate>>,
    changes: Option<(Arc<Concerns>, Arc<Change>)>,
}

impl Own {
    /// Approximate forms are computed so; by the default model if nothing is given.
    pub(crate) fn set_approximate(&mut self, results: Option<Arc<Approximate>>) {
        self.approximate = results;
    }

    pub(crate) fn set_changes(&mut self, concerns: Arc<Concerns>, change: Arc<Change>) {
        self.changes = Some((concerns, change));
    }

    /// What of it there is for a spelling, or why it has no result: a model has those of all operands or none.
    pub(crate) fn of(&self, spelling: &Spelling) -> Result<Self, String> {
        let form = spelling.form;
        let own = Self {
            approximate: self.approximate.clone().filter(|_| form.approximate),
            changes: self.changes.clone().filter(|(concerns, _)| concerns(spelling)),
        };
        match &own.approximate {
            Some(results) => results(form, &[0; MOST_OPERANDS][..form.operands.len()]).map(|_| own),
            None => Ok(own),
        }
    }

    /// Whether the table has the results.
    pub(crate) const fn is_none(&self) -> bool {
        self.approximate.is_none() && self.changes.is_none()
    }

    /// The result of the spelling that it is of; `None` if there is none of these operands.
    pub(crate) fn result(&self, spelling: &Spelling, operands: &[u64]) -> Option<u64> {
        let result = match &self.approximate {
            Some(results) => results(spelling.form, operands).ok(),
            None => spelling.call(operands),
        }?;
        Some(self.changes.as_ref().map_or(result, |(_, change)| change(spelling, operands, result)))
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (approximate, changes) = (self.approximate.is_some(), self.changes.is_some());
        f.debug_struct("Own").field("approximate", &approximate).field("changes", &changes).finish()
    }
}
