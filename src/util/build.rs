//! The build of this program: version, profile and instruction set.

/// The profile: `debug` has overflow checks and assertions.
pub(crate) const PROFILE: &str = if cfg!(debug_assertions) { "debug" } else { "release" };

/// The instruction set that the compiler may use: on x86-64, a microarchitecture level of its ABI.
pub(crate) const INSTRUCTION_SET: &str = if cfg!(not(target_arch = "x86_64")) {
    std::env::consts::ARCH
} else if cfg!(all(target_feature = "avx512f", target_feature = "avx512bw", target_feature = "avx512vl")) {
    "x86-64-v4"
} else if cfg!(all(target_feature = "avx2", target_feature = "bmi2", target_feature = "lzcnt")) {
    "x86-64-v3"
} else if cfg!(all(target_feature = "popcnt", target_feature = "sse4.2")) {
    "x86-64-v2"
} else {
    "x86-64"
};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Returns the name of the engine with its build: `Secateurs 0.3.0 release x86-64-v3`.
pub(crate) fn name() -> String {
    format!("Secateurs {VERSION} {PROFILE} {INSTRUCTION_SET}")
}
