//! Who acts on what: threads by their own identity, and the groups of a scope by walking the threads of a launch.
//!
//! - A thread is in a `tile.where` by its own numbers (R23, R25, R28).
//! - The group of a scope is counted: all threads of a cluster are asked, and their numbers on an axis are its range
//!   (R22, R24, R27, R29).
//! - An element of registers names numbers of a thread: those of the thread that touches it (R55, R56).
//!
//! What tile-check decides by algebra (threads.rs and ownership.rs of the dialect) is held against this, so that
//! nothing of it is used here.

use super::special::Who;
use super::value::View;
use anyhow::{Result, bail, ensure};
use ptx_tile_dialect::layout_text::AXES;
use ptx_tile_dialect::legality::coordinates;
use ptx_tile_dialect::threads::{Narrowing, Scope};
use std::collections::BTreeSet;

/// What a thread is told by: each axis of R45 counts some of them.
const DIGITS: [(&str, &[&str]); 9] = [
    ("lane", &["laneid", "tid_in_wg", "tx"]),
    ("warp in its warpgroup", &["wid_in_wg", "warpid", "tid_in_wg", "tx"]),
    ("warpgroup", &["wgid", "warpid", "tx"]),
    ("x in the cluster", &["cbx"]),
    ("y in the cluster", &["cby"]),
    ("z in the cluster", &["cbz"]),
    ("x in the grid", &["bx"]),
    ("y in the grid", &["by"]),
    ("z in the grid", &["bz"]),
];

/// A leading axis of the tiles of an application.
pub struct GroupAxis {
    /// The axis of R45 that counts it.
    name: &'static str,
    /// The least number of an active thread.
    begin: i64,
    extent: i64,
}

/// The threads that an application is over.
#[derive(Default)]
pub struct Group(Vec<GroupAxis>);

impl Who {
    /// The number on an axis (R23, R45).
    fn on(&self, axis: &str) -> i64 {
        let linear = self.linear() as i64;
        let [cx, cy, cz] = self.in_cluster().map(i64::from);
        let [x, y, z] = self.block.map(i64::from);
        match axis {
            "laneid" => linear % 32,
            "warpid" => linear / 32,
            "wid_in_wg" => linear / 32 % 4,
            "wgid" => linear / 128,
            "tid_in_wg" => linear % 128,
            "tx" => linear,
            "cbx" => cx,
            "cby" => cy,
            "cbz" => cz,
            "bx" => x,
            "by" => y,
            "bz" => z,
            _ => unreachable!("no axis of threads: {axis}"),
        }
    }

    /// Whether the ranges of a `tile.where` have the thread.
    pub fn is_in(&self, narrowing: &Narrowing) -> bool {
        narrowing.ranges().all(|(name, range)| {
            range.contains(&match name {
                "lanes" => self.on("laneid"),
                "warps" => self.on("warpid"),
                "warps_in_group" => self.on("wid_in_wg"),
                "warpgroups" => self.on("wgid"),
                "ctas" => self.rank() as i64,
                _ => unreachable!("no range: {name}"),
            })
        })
    }
}

impl Group {
    /// The group of a scope inside of these `tile.where`, in launches such as that of a thread.
    ///
    /// Errors: active threads that are no box of ranges, the same in each group.
    pub fn of(scope: Scope, all: &[Narrowing], someone: &Who) -> Result<Group> {
        // What the threads of one group have in common, and the axes that tell them apart.
        let (common, mut names): (&[&str], Vec<&'static str>) = match scope {
            Scope::Thread => return Ok(Group::default()),
            Scope::Warp => (&["warpid", "cbx", "cby", "cbz"], vec!["laneid"]),
            Scope::Warpgroup => (&["wgid", "cbx", "cby", "cbz"], vec!["wid_in_wg", "laneid"]),
            Scope::Cta => (&["cbx", "cby", "cbz"], vec!["warpid", "laneid"]),
            Scope::Cluster => (&[], vec!["warpid", "laneid"]),
        };
        if scope == Scope::Cluster {
            // Outermost axes of one CTA are none (R25).
            let [_, y, z] = someone.cluster;
            let rank = if z > 1 { 3 } else { 1 + usize::from(y > 1) };
            names.splice(0..0, ["cbz", "cby", "cbx"][3 - rank..].iter().copied());
        }
        let active: Vec<Who> = someone.cluster_mates().filter(|who| all.iter().all(|its| who.is_in(its))).collect();
        ensure!(!active.is_empty(), "is where no thread comes");
        let mut axes = vec![];
        for name in names {
            let numbers: BTreeSet<i64> = active.iter().map(|who| who.on(name)).collect();
            let (begin, extent) = (*numbers.first().expect("one is active"), numbers.len() as i64);
            ensure!(numbers.into_iter().eq(begin..begin + extent), "the active threads are no range on {name}");
            axes.push(GroupAxis { name, begin, extent });
        }
        let key = |who: &Who| common.iter().map(|name| who.on(name)).collect::<Vec<i64>>();
        let groups = active.iter().map(key).collect::<BTreeSet<_>>().len() as i64;
        let each: i64 = axes.iter().map(|axis| axis.extent).product();
        ensure!(
            active.len() as i64 == groups * each,
            "{} threads are active, which are not {groups} groups of scope({scope}) of {each} each (R27)",
            active.len()
        );
        Ok(Group(axes))
    }

    /// How many leading axes tiles have.
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// That the leading extents of a tile are those of the group.
    pub fn leads(&self, shape: &[i64]) -> Result<()> {
        let extents: Vec<i64> = self.0.iter().map(|axis| axis.extent).collect();
        ensure!(
            shape.len() > extents.len() && shape[..extents.len()] == extents,
            "has the extents {}, of which the first are not {}, those of the group (R24)",
            coordinates(shape),
            coordinates(&extents)
        );
        Ok(())
    }

    /// Where a thread stands in its group.
    pub fn position(&self, who: &Who) -> Result<Vec<i64>> {
        let position = self.0.iter().map(|axis| who.on(axis.name) - axis.begin).collect::<Vec<i64>>();
        let is_inside = position.iter().zip(&self.0).all(|(at, axis)| (0..axis.extent).contains(at));
        ensure!(is_inside, "is executed by {who}, which is not active");
        Ok(position)
    }

    /// That an element of registers belongs to the thread that touches it: it is at the numbers of the thread on all
    /// axes that the layout names, and at 0 on those of the group that it does not (R55, R56).
    pub fn owns(&self, who: &Who, view: &View, indices: &[i64]) -> Result<()> {
        let element = view.element(indices)?;
        let mut at: Vec<(&str, i64)> = vec![];
        if let Some((layout, flat)) = element {
            at.extend(layout.thread_axes().map(|axis| (AXES[axis as usize], layout.place(flat, axis))));
        }
        let counts = |axis: &str, digit: &(&str, &[&str])| digit.1.contains(&axis);
        for digit in &DIGITS {
            let is_bound = self.0.iter().any(|axis| counts(axis.name, digit));
            if is_bound && !at.iter().any(|(axis, _)| counts(axis, digit)) {
                at.push((digit.1[0], 0));
            }
        }
        if at.iter().all(|(axis, number)| *number == who.on(axis)) {
            return Ok(());
        }
        let names = |number: &dyn Fn(&str, i64) -> i64| {
            at.iter().map(|(axis, its)| format!("{axis} {}", number(axis, *its))).collect::<Vec<_>>().join(", ")
        };
        bail!(
            "element {} belongs to {}, and {who} at {} touches it (R55)",
            coordinates(indices),
            names(&|_, its| its),
            names(&|axis, _| who.on(axis))
        )
    }
}
