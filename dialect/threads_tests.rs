//! Group axes against the sets of threads that they stand for.

use super::*;

fn launch(block: [i64; 3], cluster: Option<[i64; 3]>) -> Launch {
    Launch::new(block, cluster).unwrap()
}

fn axes(active: &Active, scope: Scope) -> String {
    let text = |it: &GroupAxis| format!("{} {}+{}", it.part, it.begin, it.extent);
    active
        .group(scope)
        .map_or_else(|why| format!("{why:#}"), |axes| axes.iter().map(text).collect::<Vec<_>>().join(", "))
}

fn within(active: &Active, narrowing: Narrowing) -> Active {
    active.narrowed(&narrowing).unwrap()
}

/// R22, R24, R27.
#[test]
fn of_a_block() {
    let all = launch([16, 8, 1], None).all();
    assert_eq!(axes(&all, Scope::Thread), "");
    assert_eq!(axes(&all, Scope::Warp), "lane 0+32");
    assert_eq!(axes(&all, Scope::Warpgroup), "warp in its warpgroup 0+4, lane 0+32");
    assert_eq!(axes(&all, Scope::Cta), "warp 0+4, lane 0+32");
    assert!(axes(&all, Scope::Cluster).starts_with("scope(cluster) needs a cluster"));
    assert_eq!(axes(&launch([16, 1, 1], None).all(), Scope::Cta), "warp 0+1, lane 0+16");
    let six = launch([192, 1, 1], None).all();
    assert!(axes(&six, Scope::Warpgroup).contains("are not the same range of each warpgroup"));
    assert_eq!(axes(&launch([64, 1, 1], None).all(), Scope::Warpgroup), "warp in its warpgroup 0+2, lane 0+32");
}

/// R26: no lane axis, whole warps, no single thread.
#[test]
fn of_a_collective() {
    let all = launch([256, 1, 1], Some([2, 1, 1])).all();
    let axes = |active: &Active, scope| active.group_of_warps(scope).unwrap();
    let parts = |scope| axes(&all, scope).iter().map(|axis| axis.part).collect::<Vec<_>>();
    assert_eq!(parts(Scope::Warp), []);
    assert_eq!(parts(Scope::Warpgroup), [Part::WarpInGroup]);
    assert_eq!(parts(Scope::Cta), [Part::Warp]);
    assert_eq!(parts(Scope::Cluster), [Part::Cta(0), Part::Warp]);
    for scope in [Scope::Warp, Scope::Warpgroup, Scope::Cta, Scope::Cluster] {
        assert_eq!(scope.group_axes(true).unwrap(), parts(scope).len());
        assert_eq!(scope.group_axes(false).unwrap(), parts(scope).len() + 1);
    }
    let warps = within(&all, Narrowing { warps: Some(2..4), ..Narrowing::default() });
    assert_eq!(axes(&warps, Scope::Cta), [GroupAxis { part: Part::Warp, begin: 2, extent: 2 }]);

    let thread = Scope::Thread.group_axes(true).unwrap_err().to_string();
    assert_eq!(thread, "is issued by all lanes of a warp; use scope(warp) or a wider one (R26)");
    for lanes in [0..16, 8..32] {
        let some = within(&all, Narrowing { lanes: Some(lanes), ..Narrowing::default() });
        let why = some.group_of_warps(Scope::Warp).unwrap_err().to_string();
        assert!(why.contains("is issued by all 32 lanes of a warp, and lanes"), "{why}");
    }
    let few = launch([16, 1, 1], None).all().group_of_warps(Scope::Warp).unwrap_err().to_string();
    assert!(few.contains("lanes 0 to 16 are active at most"), "{few}");
}

/// R28 as tile.where has it.
#[test]
fn narrowed() {
    let all = launch([256, 1, 1], None).all();
    let lanes = within(&all, Narrowing { lanes: Some(8..24), ..Narrowing::default() });
    assert_eq!(axes(&lanes, Scope::Warp), "lane 8+16");
    let nested = within(&lanes, Narrowing { lanes: Some(0..12), warps: Some(1..3), ..Narrowing::default() });
    assert_eq!(axes(&nested, Scope::Cta), "warp 1+2, lane 8+4");
    let group = within(&all, Narrowing { warpgroups: Some(1..2), ..Narrowing::default() });
    assert_eq!(axes(&group, Scope::Cta), "warp 4+4, lane 0+32");
    assert_eq!(group.fixed_warpgroup(), Some(1));
    let middle = within(&all, Narrowing { warps_in_group: Some(1..3), ..Narrowing::default() });
    assert_eq!(axes(&middle, Scope::Warpgroup), "warp in its warpgroup 1+2, lane 0+32");
    assert!(axes(&middle, Scope::Cta).contains("[1, 2, 5, 6] are no range of the block"));
    let wrong = |narrowing: Narrowing| all.narrowed(&narrowing).unwrap_err().to_string();
    assert!(wrong(Narrowing { lanes: Some(4..4), ..Narrowing::default() }).contains("lanes(4 to 4) is empty"));
    assert!(wrong(Narrowing { warps: Some(0..9), ..Narrowing::default() }).contains("which is warps(0 to 8)"));
    let ctas = |ctas| Narrowing { ctas: Some(ctas), ..Narrowing::default() };
    assert!(wrong(ctas(0..1)).contains("ctas(...) needs a cluster"));
    let pair = launch([32, 1, 1], Some([2, 1, 1])).all().narrowed(&ctas(0..3)).unwrap_err().to_string();
    assert_eq!(pair, "ctas(0 to 3) is not in the cluster, which is ctas(0 to 2)");
    let lost = lanes.narrowed(&Narrowing { lanes: Some(24..32), ..Narrowing::default() }).unwrap_err().to_string();
    assert!(lost.contains("no lane is in the ranges"), "{lost}");
    let none = Narrowing { warps: Some(0..4), warpgroups: Some(1..2), ..Narrowing::default() };
    assert!(wrong(none).contains("no warp is in all ranges"));
}

/// R25.
#[test]
fn of_a_cluster() {
    let of = |cluster| axes(&launch([32, 1, 1], Some(cluster)).all(), Scope::Cluster);
    let rest = "warp 0+1, lane 0+32";
    assert_eq!(of([2, 1, 1]), format!("x of the CTA 0+2, {rest}"));
    assert_eq!(of([1, 2, 1]), format!("y of the CTA 0+2, x of the CTA 0+1, {rest}"));
    assert_eq!(of([2, 2, 2]), format!("z of the CTA 0+2, y of the CTA 0+2, x of the CTA 0+2, {rest}"));
    let all = launch([32, 1, 1], Some([2, 2, 1])).all();
    let row = within(&all, Narrowing { ctas: Some(2..4), ..Narrowing::default() });
    assert_eq!(axes(&row, Scope::Cluster), format!("y of the CTA 1+1, x of the CTA 0+2, {rest}"));
    let bent = all.narrowed(&Narrowing { ctas: Some(1..3), ..Narrowing::default() }).unwrap_err().to_string();
    assert!(bent.contains("ctas(1 to 3) are no box"), "{bent}");
}

/// D19, and what no launch has.
#[test]
fn launches_that_are_none() {
    let wrong = |block, cluster| Launch::new(block, cluster).unwrap_err().to_string();
    assert!(wrong([48, 1, 1], None).contains("a block of 48 threads (48x1x1) has a warp that is not whole"));
    assert!(wrong([1024, 2, 1], None).contains("a block of 1024x2x1 threads; there are 1 to 1024"));
    assert!(wrong([32, 0, 1], None).contains("a block of 32x0x1 threads"));
    assert!(wrong([32, 1, 1], Some([4, 8, 1])).contains("a cluster of 4x8x1 CTAs; there are 1 to 16"));
}
