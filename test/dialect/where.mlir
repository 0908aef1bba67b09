// The ranges of tile.where stand in any order, and print in one.

// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s < %t.once
// RUN: tile-opt %t.once | diff - %t.once
// RUN: tile-opt %s --emit-bytecode | tile-opt | diff - %t.once

// CHECK-LABEL: @where
func.func @where() {
  // CHECK: tile.where lanes(0 to 16) warps(2 to 4) {
  tile.where warps(2 to 4) lanes(0 to 16) {
    // CHECK-NEXT: tile.where warps_in_group(1 to 2) warpgroups(0 to 1) ctas(0 to 2) attributes {note = "x"} {
    tile.where ctas(0 to 2) warpgroups(0 to 1) warps_in_group(1 to 2) attributes {note = "x"} {
    }
  }
  return
}
