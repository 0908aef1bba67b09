//! How large expansion makes a program: a few lines may ask for more instructions than memory holds.

use anyhow::{Result, bail};

/// The ops that expansion has made, and the most that it may make.
pub struct Growth {
    /// The most that one op becomes.
    pub limit: u64,
    module_limit: u64,
    made: u64,
}

impl Growth {
    /// Nothing yet.
    pub fn new(limit: u64, module_limit: u64) -> Growth {
        Growth { limit, module_limit, made: 0 }
    }

    /// Counts what one op is to become, before it does; `what` says what that is.
    pub fn add(&mut self, ops: u64, what: &str) -> Result<()> {
        if ops > self.limit {
            bail!(
                "{what}, more than the limit of {}; make it smaller, or raise that in a pass pipeline, by \
                 tile-expand{{limit=...}}",
                self.limit
            );
        }
        self.made = self.made.saturating_add(ops);
        if self.made > self.module_limit {
            bail!(
                "{what}, which with all before it in the module makes {}, more than the limit of {}; compile the functions in \
                 several modules, or raise that in a pass pipeline, by tile-expand{{module-limit=...}}",
                self.made,
                self.module_limit
            );
        }
        Ok(())
    }

    /// Whether a module is too large, which is said once.
    pub fn is_too_large(&self) -> bool {
        self.made > self.module_limit
    }
}
