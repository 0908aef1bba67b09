//! How long a check may take. What a program asks for in a few lines may be work without end: begins are computed for
//! each turn of the loops that decide them.
//!
//! What counts lies deep under functions that know nothing of checks, so the steps that are left belong to the thread.
//! Where nobody limits them, there is no end of steps.

use anyhow::anyhow;
use std::cell::Cell;

/// The most steps of one function. A step is an op that is computed, or a view on the way to an allocation.
pub const OF_FUNCTION: u64 = 1 << 22;
/// The most steps of all functions together.
pub const OF_ALL: u64 = 1 << 25;

thread_local! {
    static LEFT: Cell<Option<Left>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Left {
    of_function: u64,
    of_all: u64,
}

/// Takes steps. `None` where fewer are left, from then on.
pub fn take(steps: u64) -> Option<()> {
    let Some(left) = LEFT.get() else { return Some(()) };
    let [of_function, of_all] = [left.of_function, left.of_all].map(|left| left.saturating_sub(steps));
    LEFT.set(Some(Left { of_function, of_all }));
    (of_function > 0 && of_all > 0).then_some(())
}

/// A limit of steps on this thread, until it is dropped.
pub struct Limit(Option<Left>);

impl Limit {
    /// Of one function after another.
    pub fn new() -> Limit {
        Limit(LEFT.replace(Some(Left { of_function: OF_FUNCTION, of_all: OF_ALL })))
    }

    /// From here on it is another function.
    pub fn next_function(&self) {
        LEFT.set(LEFT.get().map(|left| Left { of_function: OF_FUNCTION, ..left }));
    }

    /// That there are no steps left in the function, and so no word on whether it is legal.
    pub fn exceeded(&self) -> Option<anyhow::Error> {
        let left = LEFT.get()?;
        let (limit, place) = match left {
            Left { of_all: 0, .. } => (OF_ALL, "module"),
            Left { of_function: 0, .. } => (OF_FUNCTION, "function"),
            _ => return None,
        };
        Some(anyhow!(
            "is where checking this {place} takes more than {limit} steps: begins are computed for each turn of the loops that \
             decide them, and views are followed to their allocations; make turns fewer, or the arithmetic of begins shorter"
        ))
    }

    /// Whether no function has steps left.
    pub fn is_spent(&self) -> bool {
        LEFT.get().is_some_and(|left| left.of_all == 0)
    }
}

impl Drop for Limit {
    fn drop(&mut self) {
        LEFT.set(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_where_they_are_limited() {
        assert_eq!(take(u64::MAX), Some(()));
        let limit = Limit::new();
        assert_eq!(take(OF_FUNCTION - 1), Some(()));
        assert!(limit.exceeded().is_none());
        assert_eq!(take(1), None);
        assert!(limit.exceeded().unwrap().to_string().contains("this function takes more than 4194304 steps"));
        limit.next_function();
        assert_eq!(take(1), Some(()));
        assert!(limit.exceeded().is_none());
        for _ in 1..OF_ALL / OF_FUNCTION {
            limit.next_function();
            take(OF_FUNCTION);
        }
        limit.next_function();
        assert!(limit.is_spent());
        assert!(limit.exceeded().unwrap().to_string().contains("this module takes more than 33554432 steps"));
        drop(limit);
        assert_eq!(take(1), Some(()));
    }
}
