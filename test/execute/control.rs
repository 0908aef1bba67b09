//! Control flow of random programs: ops with regions, and branches between blocks.

use super::begins::Index;
use super::{Generator, I32, THREADS};
use crate::tile::Choices;

/// A region or a block that is open.
pub struct Scope {
    kind: Kind,
    /// How many tiles, scalars, predicates and indices were in scope before.
    outside: [usize; 4],
    id: usize,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    For,
    AffineFor,
    Then,
    Else,
    BranchThen,
    BranchElse,
    BranchLoop,
    Region,
    While,
}

impl Generator {
    fn open(&mut self, kind: Kind) -> usize {
        let outside = [self.tiles.len(), self.scalars.len(), self.preds.len(), self.indices.len()];
        self.count += 1;
        self.scopes.push(Scope { kind, outside, id: self.count });
        self.count
    }

    fn leave(&mut self, outside: [usize; 4]) {
        let [tiles, scalars, preds, indices] = outside;
        // Arguments stay.
        let inside = self.tiles.split_off(tiles);
        self.tiles.extend(inside.into_iter().filter(|tile| tile.name.starts_with("%m")));
        self.scalars.truncate(scalars);
        self.preds.truncate(preds);
        self.indices.truncate(indices);
    }

    /// Only a few levels, and branches between blocks only where a region may have several.
    fn may_open(&self, is_branch: bool) -> bool {
        let innermost = self.scopes.last().map_or(Kind::Region, |scope| scope.kind);
        let may_branch = [Kind::BranchThen, Kind::BranchElse, Kind::BranchLoop, Kind::Region].contains(&innermost);
        self.scopes.len() < 4 && (!is_branch || may_branch)
    }

    /// The i32 that was made last.
    fn last_i32(&self) -> String {
        self.scalars.iter().rev().find(|(_, element)| *element == I32).expect("there is an argument").0.clone()
    }

    pub fn open_for(&mut self, choices: &mut Choices) {
        if !self.may_open(false) {
            return;
        }
        let (rounds, init) = (self.rounds(choices), self.last_i32());
        let outer = choices.of(&self.indices.iter().filter(|its| its.is_static).cloned().collect::<Vec<_>>());
        let id = self.open(Kind::For);
        let (lower, step) = (choices.below(3) as i64, 1 + choices.below(3) as i64);
        let (most, is_static, header) = match choices.below(8) {
            0 | 1 => (rounds - 1, true, format!("scf.for %i{id} = %c0 to %c{rounds} step %c1")),
            2 => (i64::from(THREADS) - 2, false, format!("scf.for %i{id} = %c0 to %tid step %c1")),
            3 | 4 => {
                // Not from 0, and not by 1.
                self.line(&format!("%u{id} = arith.constant {} : index", lower + rounds * step));
                let header = format!("scf.for %i{id} = %c{lower} to %u{id} step %c{step}");
                (lower + (rounds - 1) * step, true, header)
            }
            // A triangle, which has a corner.
            5 | 6 if outer.is_some() && !self.is_live => {
                let outer = outer.expect("there is one").name;
                (2, true, format!("scf.for %i{id} = {outer} to %c3 step %c1"))
            }
            _ => {
                self.scopes.last_mut().expect("it was opened").kind = Kind::AffineFor;
                let end = lower + rounds * step;
                (end - step, true, format!("affine.for %i{id} = {lower} to {end} step {step}"))
            }
        };
        self.line(&format!("%r{id} = {header} iter_args(%x{id} = {init}) -> (i32) {{"));
        self.enter_loop(id, most, is_static);
        self.scalars.push((format!("%x{id}"), I32));
    }

    fn rounds(&self, choices: &mut Choices) -> i64 {
        if self.is_live { 1 + choices.below(3) as i64 } else { choices.below(4) as i64 }
    }

    fn enter_loop(&mut self, id: usize, most: i64, is_static: bool) {
        self.indices.push(Index { name: format!("%i{id}"), most: most.max(0), is_static });
        // For a loop that is unrolled this is a constant.
        let by = if self.is_live { "%bit" } else { "%c1" };
        self.line(&format!("%q{id} = arith.cmpi eq, %i{id}, {by} : index"));
        self.preds.push(format!("%q{id}"));
    }

    fn condition(&mut self, choices: &mut Choices) -> String {
        if !self.is_live {
            return choices.of(&self.preds).expect("there are predicates");
        }
        // One that another condition does not decide: a bit of an argument of its own, or its opposite in every other
        // thread.
        let name = self.name("z");
        self.line(&format!("{name}k = arith.constant {} : index", self.conditions));
        self.conditions += 1;
        self.line(&format!("{name}s = arith.shrui %ns1, {name}k : index"));
        self.line(&format!("{name}t = arith.addi {name}s, %tid : index"));
        self.line(&format!("{name}b = arith.andi {name}t, %c1 : index"));
        self.line(&format!("{name} = arith.cmpi eq, {name}b, %c0 : index"));
        name
    }

    pub fn open_if(&mut self, choices: &mut Choices) {
        if self.may_open(false) {
            let pred = self.condition(choices);
            let id = self.open(Kind::Then);
            self.line(&format!("%r{id} = scf.if {pred} -> (i32) {{"));
        }
    }

    pub fn open_branch(&mut self, choices: &mut Choices) {
        if self.may_open(true) {
            let pred = self.condition(choices);
            let id = self.open(Kind::BranchThen);
            self.line(&format!("cf.cond_br {pred}, ^then{id}, ^else{id}"));
            self.line(&format!("^then{id}:"));
        }
    }

    pub fn open_loop(&mut self, choices: &mut Choices) {
        if self.may_open(true) {
            let rounds = self.rounds(choices);
            let id = self.open(Kind::BranchLoop);
            self.line(&format!("cf.br ^head{id}(%c0 : index)"));
            self.line(&format!("^head{id}(%i{id}: index):"));
            self.line(&format!("%l{id} = arith.cmpi slt, %i{id}, %c{rounds} : index"));
            self.line(&format!("cf.cond_br %l{id}, ^body{id}, ^exit{id}"));
            self.line(&format!("^body{id}:"));
            self.enter_loop(id, rounds - 1, false);
        }
    }

    pub fn open_region(&mut self) {
        if self.may_open(false) {
            let id = self.open(Kind::Region);
            self.line(&format!("%r{id} = scf.execute_region -> i32 {{"));
        }
    }

    pub fn open_while(&mut self, choices: &mut Choices) {
        if self.may_open(false) {
            let (rounds, init) = (self.rounds(choices), self.last_i32());
            let id = self.open(Kind::While);
            self.line(&format!(
                "%w{id}, %r{id} = scf.while (%j{id} = %c0, %y{id} = {init}) : (index, i32) -> (index, i32) {{"
            ));
            self.line(&format!("%l{id} = arith.cmpi slt, %j{id}, %c{rounds} : index"));
            self.line(&format!("scf.condition(%l{id}) %j{id}, %y{id} : index, i32"));
            self.line("} do {");
            self.line(&format!("^body{id}(%i{id}: index, %x{id}: i32):"));
            self.enter_loop(id, rounds - 1, false);
            self.scalars.push((format!("%x{id}"), I32));
        }
    }

    /// Ends the innermost scope, or goes on to its other half.
    pub fn close_or_turn(&mut self) {
        let Some(Scope { kind, outside, id }) = self.scopes.pop() else { return };
        let last = self.last_i32();
        self.dump_from(outside[0]);
        self.leave(outside);
        let turn = |kind| Scope { kind, outside, id };
        match kind {
            Kind::Then => {
                self.line(&format!("scf.yield {last} : i32"));
                self.line("} else {");
                self.scopes.push(turn(Kind::Else));
                return;
            }
            Kind::BranchThen => {
                self.line(&format!("cf.br ^join{id}({last} : i32)"));
                self.line(&format!("^else{id}:"));
                self.scopes.push(turn(Kind::BranchElse));
                return;
            }
            Kind::While => {
                self.line(&format!("%n{id} = arith.addi %i{id}, %c1 : index"));
                self.line(&format!("scf.yield %n{id}, {last} : index, i32"));
                self.line("}");
            }
            Kind::AffineFor => {
                self.line(&format!("affine.yield {last} : i32"));
                self.line("}");
            }
            Kind::For | Kind::Else | Kind::Region => {
                self.line(&format!("scf.yield {last} : i32"));
                self.line("}");
            }
            Kind::BranchElse => {
                self.line(&format!("cf.br ^join{id}({last} : i32)"));
                self.line(&format!("^join{id}(%r{id}: i32):"));
            }
            Kind::BranchLoop => {
                self.line(&format!("%n{id} = arith.addi %i{id}, %c1 : index"));
                self.line(&format!("cf.br ^head{id}(%n{id} : index)"));
                self.line(&format!("^exit{id}:"));
                return;
            }
        }
        self.scalars.push((format!("%r{id}"), I32));
    }
}
