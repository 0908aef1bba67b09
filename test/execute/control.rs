//! Control flow of random programs: ops with regions, and branches between blocks.

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
        let (rounds, init) = (choices.below(4) as i64, self.last_i32());
        let by_thread = choices.once_in(4);
        let id = self.open(Kind::For);
        let end = if by_thread { "%tid".to_string() } else { format!("%c{rounds}") };
        let most = if by_thread { i64::from(THREADS) - 2 } else { rounds - 1 };
        self.line(&format!("%r{id} = scf.for %i{id} = %c0 to {end} step %c1 iter_args(%x{id} = {init}) -> (i32) {{"));
        self.enter_loop(id, most);
        self.scalars.push((format!("%x{id}"), I32));
    }

    fn enter_loop(&mut self, id: usize, most: i64) {
        self.indices.push((format!("%i{id}"), most.max(0)));
        self.line(&format!("%q{id} = arith.cmpi eq, %i{id}, %c1 : index"));
        self.preds.push(format!("%q{id}"));
    }

    pub fn open_if(&mut self, choices: &mut Choices) {
        if self.may_open(false) {
            let pred = choices.of(&self.preds).expect("there are predicates");
            let id = self.open(Kind::Then);
            self.line(&format!("%r{id} = scf.if {pred} -> (i32) {{"));
        }
    }

    pub fn open_branch(&mut self, choices: &mut Choices) {
        if self.may_open(true) {
            let pred = choices.of(&self.preds).expect("there are predicates");
            let id = self.open(Kind::BranchThen);
            self.line(&format!("cf.cond_br {pred}, ^then{id}, ^else{id}"));
            self.line(&format!("^then{id}:"));
        }
    }

    pub fn open_loop(&mut self, choices: &mut Choices) {
        if self.may_open(true) {
            let rounds = choices.below(4) as i64;
            let id = self.open(Kind::BranchLoop);
            self.line(&format!("cf.br ^head{id}(%c0 : index)"));
            self.line(&format!("^head{id}(%i{id}: index):"));
            self.line(&format!("%l{id} = arith.cmpi slt, %i{id}, %c{rounds} : index"));
            self.line(&format!("cf.cond_br %l{id}, ^body{id}, ^exit{id}"));
            self.line(&format!("^body{id}:"));
            self.enter_loop(id, rounds - 1);
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
            let (rounds, init) = (choices.below(4) as i64, self.last_i32());
            let id = self.open(Kind::While);
            self.line(&format!(
                "%w{id}, %r{id} = scf.while (%j{id} = %c0, %y{id} = {init}) : (index, i32) -> (index, i32) {{"
            ));
            self.line(&format!("%l{id} = arith.cmpi slt, %j{id}, %c{rounds} : index"));
            self.line(&format!("scf.condition(%l{id}) %j{id}, %y{id} : index, i32"));
            self.line("} do {");
            self.line(&format!("^body{id}(%i{id}: index, %x{id}: i32):"));
            self.enter_loop(id, rounds - 1);
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
