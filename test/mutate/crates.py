"""The copies that mutants change, under target/mutate: the tree of the project is left alone.

- `Tree` is all of it. A mutant costs builds of half a minute and more.
- `Alone` is what of the `dialect` crate knows no MLIR, as a crate of its own: its tests are built and run in seconds.
"""

import json
import os
import pathlib
import re
import subprocess

MADE = ["axes.rs", "instructions.rs"]
# Tests of other modules that take long, and are not needed to judge these.
SLOW = ["semantics::", "named::", "every_spelling", "opcodes_are_listed"]


class Copy:
    def __init__(self, path, built):
        self.path, self.built = path, built
        self.environment = os.environ | {"CARGO_TARGET_DIR": str(built), "PROPTEST_CASES": "64"}

    def run(self, *command, variables={}, **options):
        return subprocess.run([str(it) for it in command], cwd=self.path, env=self.environment | variables, text=True,
                              errors="replace", check=False, **options)

    def passes(self, *command):
        """Whether a command succeeds; one that hangs does not."""
        try:
            ran = self.run(*command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=1800)
            return ran.returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def output_folder(self, *command):
        """Where the build script of the dialect has put what a command of Cargo builds from; others may build another."""
        built = self.run("cargo", *command, "--release", "--message-format=json", stdout=subprocess.PIPE)
        messages = [json.loads(line) for line in built.stdout.splitlines()]
        scripts = [it for it in messages if it["reason"] == "build-script-executed"]
        return pathlib.Path(next(it["out_dir"] for it in scripts if "ptx-tile-dialect" in it["out_dir"]))


class Tree(Copy):
    """The files that git knows."""

    def __init__(self, root):
        super().__init__(root / "target/mutate/tree", root / "target/mutate/build")
        self.path.mkdir(parents=True, exist_ok=True)
        files = subprocess.check_output(["git", "ls-files", "-z"], cwd=root)
        # `tar` keeps times, and so those of folders: Cargo builds anew only what is new.
        packed = subprocess.check_output(["tar", "-c", "--null", "-T", "-"], cwd=root, input=files)
        subprocess.run(["tar", "-x", "--overwrite"], cwd=self.path, input=packed, check=True)
        if not (self.path / ".venv").exists():
            (self.path / ".venv").symlink_to(root / ".venv")


class Alone(Copy):
    """The modules without MLIR, and what the build script makes of the records."""

    def __init__(self, root):
        super().__init__(root / "target/mutate/alone", root / "target/mutate/alone/target")
        source, made = root / "dialect", Copy(root, root / "target").output_folder("build")
        (self.path / "dialect").mkdir(parents=True, exist_ok=True)
        is_other = {file.name for file in source.glob("*.rs") if re.search(r"\b(melior|mlir_sys)\b", file.read_text())}
        for file in source.glob("**/*.rs"):
            if file.name not in is_other | {"build.rs", "records.rs"}:
                self.put(file.relative_to(root), file.read_text())
        library = (source / "lib.rs").read_text().partition("\nuse ")[0]
        others = "|".join(name.removesuffix(".rs") for name in is_other)
        self.put("dialect/lib.rs", re.sub(rf"^(pub )?mod ({others});\n", "", library, flags=re.M))
        for name in MADE:
            self.put(f"made/{name}", (made / name).read_text())
        self.put("Cargo.lock", (root / "Cargo.lock").read_text())
        versions = dict(re.findall(r"^(\w+) = \"(.*)\"$", (root / "Cargo.toml").read_text(), re.M))
        pinned = lambda *names: "".join(f'{name} = "{versions[name]}"\n' for name in names)
        self.put("Cargo.toml", '[package]\nname = "alone"\nedition = "2024"\nbuild = "build.rs"\n\n[workspace]\n\n'
                 f'[lib]\npath = "dialect/lib.rs"\n\n[dependencies]\n{pinned("anyhow", "strsim")}\n'
                 f'[dev-dependencies]\n{pinned("proptest", "rustc_apfloat")}\n[profile.dev]\ndebug = false\n')
        self.put("build.rs", BUILD)

    def put(self, name, text):
        """Writes a file, unless it is as it should be: its time then stays."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


BUILD = """fn main() {
    println!("cargo:rerun-if-changed=made");
    let out = std::env::var("OUT_DIR").unwrap();
    for file in std::fs::read_dir("made").unwrap() {
        let file = file.unwrap();
        std::fs::copy(file.path(), std::path::Path::new(&out).join(file.file_name())).unwrap();
    }
}
"""
