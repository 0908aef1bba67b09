//! What random programs of whole blocks know of a thread: its numbers in the launch, and what no other has alike.

use super::Generator;
use std::fmt::Write;

impl Generator {
    /// What the program knows of a thread. By other ops than tile-expand takes, so that a fault is planted in its own.
    pub fn numbers(&self) -> String {
        let map = |name: &str, inputs: &str, expression: String| {
            let count = inputs.split(", ").count();
            let dims = ["a", "b", "c"][..count].join(", ");
            format!("    %{name} = affine.apply affine_map<({dims}) -> ({expression})>({inputs})\n")
        };
        let linear = |[x, y, _]: [i64; 3]| format!("a + {x} * (b + {y} * c)");
        let mut text = String::new();
        for (op, letter) in [("thread_id", 't'), ("block_id", 'b')] {
            for axis in ["x", "y", "z"] {
                writeln!(text, "    %{letter}{axis} = gpu.{op} {axis}").expect("a String takes all");
            }
        }
        for number in 0..3 {
            writeln!(text, "    %c{number} = arith.constant {number} : index").expect("a String takes all");
        }
        let (launch, cluster) = (&self.launch, self.launch.cluster());
        text += &map("tid", "%tx, %ty, %tz", linear(launch.block()));
        text += &map("blk", "%bx, %by, %bz", linear(self.grid));
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            text += &map(&format!("cl{name}"), &format!("%b{name}"), format!("a floordiv {}", cluster[axis]));
        }
        let clusters = [0, 1, 2].map(|axis| self.grid[axis] / cluster[axis]);
        text += &map("cl", "%clx, %cly, %clz", linear(clusters));
        text += &map("warp", "%tid", "a floordiv 32".into());
        text += &map("wg", "%tid", "a floordiv 128".into());
        for (name, of, each) in [
            ("gtid", "tid", self.threads_of_block()),
            ("gwarp", "warp", launch.warps()),
            ("gwg", "wg", launch.warpgroups()),
        ] {
            text += &map(name, &format!("%{of}, %blk"), format!("a + {each} * b"));
        }
        text += "    %h0 = arith.index_cast %gtid : index to i64
    %h1 = arith.constant -7046029254386353131 : i64
    %h2 = arith.xori %h0, %h1 : i64
    %h64 = arith.muli %h2, %h1 : i64
    %h32 = arith.trunci %h64 : i64 to i32
    %h3 = arith.constant 23 : i64
    %h4 = arith.shrsi %h64, %h3 : i64
    %h16 = arith.trunci %h4 : i64 to i16
    %h8 = arith.trunci %h4 : i64 to i8
    %h5 = arith.extsi %h64 : i64 to i128
    %h6 = arith.constant 18446744073709551629 : i128
    %h128 = arith.muli %h5, %h6 : i128
    %p0 = arith.trunci %h4 : i64 to i1
    %p1 = arith.cmpi ne, %tid, %c1 : index\n";
        text
    }
}

/// Those of the lines before a body that make what it uses.
pub fn used(lines: &str, body: &str) -> String {
    let mut text = body.to_string();
    let mut kept = vec![];
    for line in lines.lines().rev() {
        let name = line.trim_start().split(' ').next().unwrap_or_default();
        let is_used = text.match_indices(name).any(|(at, _)| {
            let next = text[at + name.len()..].chars().next();
            next.is_none_or(|next| !next.is_ascii_alphanumeric())
        });
        if is_used {
            text += line;
            kept.push(format!("{line}\n"));
        }
    }
    kept.reverse();
    kept.concat()
}
