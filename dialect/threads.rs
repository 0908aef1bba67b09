//! Who runs an application: launches, active sets, and the group axes of a scope (R22-R29).
//!
//! - A block is at most 32 threads or whole warps (D19), so that each warp has the same lanes.
//! - An active set is lanes of some warps of some CTAs of the cluster: the same lanes of each warp, the same warps of each
//!   CTA. Only what is declared narrows it (D20).
//! - A group axis is one contiguous range of a part of a thread's identity. Whatever is active must be a box of such
//!   ranges: a set that is none has no group axes at that scope.

use anyhow::{Context, Result, bail, ensure};
use std::fmt;
use std::ops::Range;

#[cfg(test)]
#[path = "threads_tests.rs"]
mod tests;

/// How many lanes a warp has.
pub const LANES: i64 = 32;
/// How many warps a warpgroup has.
pub const WARPS_OF_GROUP: i64 = 4;
/// The most threads of a block.
const MAX_THREADS: i64 = 1024;
/// The most threads of a block on z.
const MAX_Z: i64 = 64;
/// The most CTAs of a cluster: those that a launch may ask for beyond the portable 8.
const MAX_CTAS: i64 = 16;

/// A part of a thread's identity (R23, R25).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The position of the CTA in its cluster on x, y or z: 0 to 2.
    Cta(usize),
    /// The warp in the block.
    Warp,
    /// The warp in its warpgroup.
    WarpInGroup,
    /// The lane in its warp.
    Lane,
}

/// `lane`
impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(match self {
            Part::Cta(axis) => ["x of the CTA", "y of the CTA", "z of the CTA"][*axis],
            Part::Warp => "warp",
            Part::WarpInGroup => "warp in its warpgroup",
            Part::Lane => "lane",
        })
    }
}

/// The threads over which the group axes of an application run (R8, R22), in the order of Tile_Scope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// One thread: no group axes.
    #[default]
    Thread,
    /// The lanes of a warp.
    Warp,
    /// The warps of a warpgroup and their lanes.
    Warpgroup,
    /// The warps of a block and their lanes.
    Cta,
    /// The CTAs of a cluster, their warps and lanes.
    Cluster,
}

impl Scope {
    const NAMES: [(&'static str, Scope); 5] = [
        ("thread", Scope::Thread),
        ("warp", Scope::Warp),
        ("warpgroup", Scope::Warpgroup),
        ("cta", Scope::Cta),
        ("cluster", Scope::Cluster),
    ];

    /// How many group axes it has; of a cluster at least, whose CTAs have one for each axis of it (R22, R25). A
    /// collective has none for lanes (R26).
    ///
    /// Errors: a collective at the scope of one thread.
    pub fn group_axes(self, is_collective: bool) -> Result<usize> {
        let axes = match self {
            Scope::Thread => {
                ensure!(!is_collective, "is issued by all lanes of a warp; use scope(warp) or a wider one (R26)");
                return Ok(0);
            }
            Scope::Warp => 1,
            Scope::Warpgroup | Scope::Cta => 2,
            Scope::Cluster => 3,
        };
        Ok(if is_collective { axes - 1 } else { axes })
    }

    /// By its name in `scope(...)`.
    pub fn named(name: &str) -> Option<Scope> {
        Scope::NAMES.iter().find(|(its, _)| *its == name).map(|(_, scope)| *scope)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let (name, _) = Scope::NAMES.iter().find(|(_, scope)| scope == self).expect("each has a name");
        out.write_str(name)
    }
}

/// What is known of a launch when the program is compiled: extents on x, y and z.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads of a block.
    block: [i64; 3],
    /// CTAs of a cluster; `None` where none is declared.
    cluster: Option<[i64; 3]>,
}

impl Launch {
    /// A launch of blocks of this shape, in clusters of that.
    ///
    /// Errors: a block that is neither at most 32 threads nor a multiple of 32 (D19), and extents that no launch has.
    pub fn new(block: [i64; 3], cluster: Option<[i64; 3]>) -> Result<Launch> {
        let threads = product("block", block, "threads", MAX_THREADS)?;
        ensure!(block[2] <= MAX_Z, "a block of {}; there are at most {MAX_Z} on z", by(block));
        ensure!(
            threads <= LANES || threads % LANES == 0,
            "a block of {threads} threads ({}) has a warp that is not whole; scopes other than thread need at most 32 \
             threads or a multiple of 32 (D19)",
            by(block),
        );
        if let Some(cluster) = cluster {
            product("cluster", cluster, "CTAs", MAX_CTAS)?;
        }
        Ok(Launch { block, cluster })
    }

    /// The extents of the block.
    pub fn block(&self) -> [i64; 3] {
        self.block
    }

    fn threads(&self) -> i64 {
        self.block.iter().product()
    }

    /// How many lanes each warp has (R24).
    pub fn lanes(&self) -> i64 {
        self.threads().min(LANES)
    }

    /// How many warps the block has (R24).
    pub fn warps(&self) -> i64 {
        (self.threads() / LANES).max(1)
    }

    /// How many warpgroups the block has, the last of which may have fewer warps.
    pub fn warpgroups(&self) -> i64 {
        (self.warps() + WARPS_OF_GROUP - 1) / WARPS_OF_GROUP
    }

    /// The extents of the cluster, one CTA where none is declared.
    pub fn cluster(&self) -> [i64; 3] {
        self.cluster.unwrap_or([1; 3])
    }

    /// That the kernel says of a cluster, which `what` is about.
    pub fn needs_cluster(&self, what: &str) -> Result<()> {
        ensure!(
            self.cluster.is_some(),
            "{what} needs a cluster; give the kernel known_cluster_size or nvvm.cluster_dim (R25)"
        );
        Ok(())
    }

    /// All threads of the launch.
    pub fn all(&self) -> Active {
        let ctas = self.cluster().map(|extent| 0..extent);
        Active { launch: *self, lanes: 0..self.lanes(), warps: (0..self.warps()).collect(), ctas }
    }
}

fn product(what: &str, extents: [i64; 3], of: &str, most: i64) -> Result<i64> {
    let count = extents.iter().try_fold(1i64, |count, extent| count.checked_mul(*extent));
    let is_positive = extents.iter().all(|extent| *extent > 0);
    let count = count.filter(|count| is_positive && *count <= most);
    count.with_context(|| format!("a {what} of {} {of}; there are 1 to {most}", by(extents)))
}

fn by(extents: [i64; 3]) -> String {
    extents.map(|extent| extent.to_string()).join("x")
}

/// The threads that are active at most, in the order of tile.where: CTAs of the cluster by their rank, the rest by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Narrowing {
    /// Lanes of each warp.
    pub lanes: Option<Range<i64>>,
    /// Warps of the block.
    pub warps: Option<Range<i64>>,
    /// Warps of each warpgroup.
    pub warps_in_group: Option<Range<i64>>,
    /// Warpgroups of the block.
    pub warpgroups: Option<Range<i64>>,
    /// CTAs of the cluster, by rank.
    pub ctas: Option<Range<i64>>,
}

impl Narrowing {
    /// The ranges that are given, by their names in `tile.where`.
    pub fn ranges(&self) -> impl Iterator<Item = (&'static str, &Range<i64>)> {
        let all = [
            ("lanes", &self.lanes),
            ("warps", &self.warps),
            ("warps_in_group", &self.warps_in_group),
            ("warpgroups", &self.warpgroups),
            ("ctas", &self.ctas),
        ];
        all.into_iter().filter_map(|(name, range)| Some((name, range.as_ref()?)))
    }
}

/// The threads that are active at most (R28, R30, D20). Never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Active {
    launch: Launch,
    lanes: Range<i64>,
    /// Ascending.
    warps: Vec<i64>,
    ctas: [Range<i64>; 3],
}

impl Active {
    /// Those of them that are also in the ranges.
    ///
    /// Errors: ranges that are empty or leave the launch, that have nothing in common with the set, and ranks of CTAs that
    /// are no box of the cluster.
    pub fn narrowed(&self, to: &Narrowing) -> Result<Active> {
        let launch = &self.launch;
        if to.ctas.is_some() {
            launch.needs_cluster("ctas(...)")?;
        }
        let ctas = launch.cluster().iter().product();
        let whole = launch.warps().min(WARPS_OF_GROUP);
        let sizes = [
            ("lanes", launch.lanes(), "a warp of the block"),
            ("warps", launch.warps(), "the block"),
            ("warps_in_group", whole, "a warpgroup of the block"),
            ("warpgroups", launch.warpgroups(), "the block"),
            ("ctas", ctas, "the cluster"),
        ];
        for (name, Range { start, end }) in to.ranges() {
            let (_, size, whole) = sizes.iter().find(|(its, ..)| *its == name).expect("each range has a size");
            ensure!(start < end, "{name}({start} to {end}) is empty; ranges are half-open");
            ensure!(
                *start >= 0 && end <= size,
                "{name}({start} to {end}) is not in {whole}, which is {name}(0 to {size})"
            );
        }
        let within =
            |range: &Option<Range<i64>>, number: i64| range.as_ref().is_none_or(|range| range.contains(&number));
        let is_active = |warp: &i64| {
            let (group, in_group) = (warp / WARPS_OF_GROUP, warp % WARPS_OF_GROUP);
            within(&to.warps, *warp) && within(&to.warps_in_group, in_group) && within(&to.warpgroups, group)
        };
        let warps: Vec<i64> = self.warps.iter().copied().filter(is_active).collect();
        ensure!(!warps.is_empty(), "no warp is in all ranges of this and the enclosing tile.where (D20)");
        let lanes = to.lanes.as_ref().map_or(self.lanes.clone(), |range| common(range, &self.lanes));
        ensure!(!lanes.is_empty(), "no lane is in the ranges of this and the enclosing tile.where (D20)");
        let mut ctas = self.ctas.clone();
        if let Some(ranks) = &to.ctas {
            let box_ = box_of(ranks, launch.cluster())?;
            ctas = [0, 1, 2].map(|axis| common(&ctas[axis], &box_[axis]));
            ensure!(
                ctas.iter().all(|range| !range.is_empty()),
                "no CTA is in the ranges of this and the enclosing tile.where (D20)"
            );
        }
        Ok(Active { launch: *launch, lanes, warps, ctas })
    }

    /// The launch that they are of.
    pub fn launch(&self) -> &Launch {
        &self.launch
    }

    /// Whether all threads of each block that is active are.
    pub fn has_whole_blocks(&self) -> bool {
        self.lanes == (0..self.launch.lanes()) && self.warps.len() as i64 == self.launch.warps()
    }

    /// Whether a thread of the block, by its number (R23), is among them.
    #[cfg(test)]
    pub fn has(&self, thread: i64) -> bool {
        self.lanes.contains(&(thread % LANES)) && self.warps.contains(&(thread / LANES))
    }

    /// The group axes of a scope, outermost first (R22, R24, R25, R27).
    ///
    /// Errors: no cluster is declared, and active warps that are no range at that scope.
    pub fn group(&self, scope: Scope) -> Result<Vec<GroupAxis>> {
        let lane = GroupAxis::new(Part::Lane, &self.lanes);
        Ok(match scope {
            Scope::Thread => vec![],
            Scope::Warp => vec![lane],
            Scope::Warpgroup => vec![GroupAxis::new(Part::WarpInGroup, &self.warps_in_group()?), lane],
            Scope::Cta => vec![GroupAxis::new(Part::Warp, &self.warp_range()?), lane],
            Scope::Cluster => {
                self.launch.needs_cluster("scope(cluster)")?;
                let axes = self.cta_axes();
                [axes, vec![GroupAxis::new(Part::Warp, &self.warp_range()?), lane]].concat()
            }
        })
    }

    /// The group axes of a collective, which all lanes of a warp issue as one (R26).
    ///
    /// Errors: those of [`Active::group`], and warps of which not all lanes are active.
    pub fn group_of_warps(&self, scope: Scope) -> Result<Vec<GroupAxis>> {
        let Range { start, end } = self.lanes;
        ensure!(
            (start, end) == (0, LANES),
            "is issued by all {LANES} lanes of a warp, and lanes {start} to {end} are active at most; take it out of what \
             narrows them (R26)"
        );
        let mut axes = self.group(scope)?;
        axes.retain(|axis| axis.part != Part::Lane);
        Ok(axes)
    }

    /// z, y, x, without leading axes of one CTA. An axis counts by what the cluster has, so that a narrower set does not
    /// change the rank.
    fn cta_axes(&self) -> Vec<GroupAxis> {
        let outermost = (0..3).rev().find(|axis| self.launch.cluster()[*axis] > 1);
        let axes = (0..=outermost.unwrap_or(0)).rev();
        axes.map(|axis| GroupAxis::new(Part::Cta(axis), &self.ctas[axis])).collect()
    }

    fn warp_range(&self) -> Result<Range<i64>> {
        let (first, last) = (self.warps[0], self.warps[self.warps.len() - 1]);
        ensure!(
            last - first + 1 == self.warps.len() as i64,
            "the active warps {:?} are no range of the block; name a range by warps(...){} (R27)",
            self.warps,
            if self.warps_in_group().is_ok() { ", or use scope(warpgroup)" } else { "" }
        );
        Ok(first..last + 1)
    }

    /// The same warps of each warpgroup that is active.
    fn warps_in_group(&self) -> Result<Range<i64>> {
        let of_group = |group: &[i64]| group.iter().map(|warp| warp % WARPS_OF_GROUP).collect::<Vec<i64>>();
        let groups: Vec<Vec<i64>> =
            self.warps.chunk_by(|a, b| a / WARPS_OF_GROUP == b / WARPS_OF_GROUP).map(of_group).collect();
        let first = &groups[0];
        let range = first[0]..first[0] + first.len() as i64;
        let is_range = first.iter().copied().eq(range.clone());
        if !is_range || groups.iter().any(|group| group != first) {
            bail!(
                "the active warps {:?} are not the same range of each warpgroup; leave out warpgroups that differ, by \
                 warpgroups(...) or warps(...) (R27)",
                self.warps
            );
        }
        Ok(range)
    }

    /// The value of a part, where all active threads have the same.
    pub fn fixed(&self, part: Part) -> Option<i64> {
        let only = |range: &Range<i64>| (range.end - range.start == 1).then_some(range.start);
        match part {
            Part::Cta(axis) => only(&self.ctas[axis]),
            Part::Warp => {
                if let [warp] = self.warps[..] {
                    Some(warp)
                } else {
                    None
                }
            }
            Part::WarpInGroup => self.same(|warp| warp % WARPS_OF_GROUP),
            Part::Lane => only(&self.lanes),
        }
    }

    /// The warpgroup, where all active threads are of one.
    pub fn fixed_warpgroup(&self) -> Option<i64> {
        self.same(|warp| warp / WARPS_OF_GROUP)
    }

    fn same(&self, of: fn(i64) -> i64) -> Option<i64> {
        let first = of(self.warps[0]);
        self.warps.iter().all(|warp| of(*warp) == first).then_some(first)
    }
}

fn common(a: &Range<i64>, b: &Range<i64>) -> Range<i64> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// A range of ranks as positions in the cluster: part of a row, rows of a plane, or planes.
fn box_of(ranks: &Range<i64>, cluster: [i64; 3]) -> Result<[Range<i64>; 3]> {
    let (x, y) = (cluster[0], cluster[1]);
    let at = |rank: i64| [rank % x, rank / x % y, rank / (x * y)];
    let (first, last) = (at(ranks.start), at(ranks.end - 1));
    let ranges = [0, 1, 2].map(|axis| first[axis]..last[axis] + 1);
    let count: i64 = ranges.iter().map(|range| (range.end - range.start).max(0)).product();
    ensure!(
        count == ranks.end - ranks.start,
        "ctas({} to {}) are no box of the cluster of {}; name part of a row, whole rows of a plane, or whole planes",
        ranks.start,
        ranks.end,
        by(cluster)
    );
    Ok(ranges)
}

/// A leading axis of tiles: which of the active threads acts (R22, R29).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GroupAxis {
    /// What its coordinate counts.
    pub part: Part,
    /// The part of the first active threads: the coordinate is the part minus that.
    pub begin: i64,
    /// How many there are.
    pub extent: i64,
}

impl GroupAxis {
    fn new(part: Part, range: &Range<i64>) -> GroupAxis {
        GroupAxis { part, begin: range.start, extent: range.end - range.start }
    }
}
