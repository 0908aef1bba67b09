//! libptx_tile.so: what `mlir-opt` and other programs of MLIR load as a dialect plugin and as a pass plugin, and what C
//! and C++ link; exports.map says which symbols of C++ it shows.
//!
//! It links the shared libMLIR and holds none of MLIR itself: with two copies in a process, a plugin loads and then
//! knows none of the host's types. So a host with another LLVM is refused (host.cpp).

use mlir_sys::MlirDialectRegistry;
use ptx_tile_passes as _; // the C API
use std::ffi::{CStr, c_char, c_void};

/// `MLIR_PLUGIN_API_VERSION` of MLIR 22.
const API_VERSION: u32 = 1;
/// No host knows this one, and so each leaves the plugin alone.
const REFUSED: u32 = 0;

unsafe extern "C" {
    fn ptxTileIsHostOfOurs() -> bool;
    fn ptxTileRegisterDialects(registry: MlirDialectRegistry);
    fn ptxTileRegisterPasses();
}

const NAME: &CStr = c"ptx-tile";
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no NUL"),
};

/// `mlir::DialectPluginLibraryInfo`, and `mlir::PassPluginLibraryInfo` with another callback.
#[derive(Debug)]
#[repr(C)]
pub struct PluginInfo<Register> {
    api_version: u32,
    name: *const c_char,
    version: *const c_char,
    register: Register,
}

impl<Register> PluginInfo<Register> {
    fn new(register: Register) -> Self {
        let api_version = if unsafe { ptxTileIsHostOfOurs() } { API_VERSION } else { REFUSED };
        PluginInfo { api_version, name: NAME.as_ptr(), version: VERSION.as_ptr(), register }
    }
}

/// What `--load-dialect-plugin` looks for.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetDialectPluginInfo() -> PluginInfo<unsafe extern "C" fn(*mut c_void)> {
    // MLIR gives a DialectRegistry *, which is what the C API's handle holds.
    unsafe extern "C" fn register(registry: *mut c_void) {
        unsafe { ptxTileRegisterDialects(MlirDialectRegistry { ptr: registry }) }
    }
    PluginInfo::new(register)
}

/// What `--load-pass-plugin` looks for.
#[unsafe(no_mangle)]
pub extern "C" fn mlirGetPassPluginInfo() -> PluginInfo<unsafe extern "C" fn()> {
    PluginInfo::new(ptxTileRegisterPasses)
}
