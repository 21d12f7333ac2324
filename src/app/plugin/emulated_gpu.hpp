#pragma once
// The emulated GPU of tests/ptx_emulator, which may be installed beside libgsim.

namespace gsim::app {

/// Lets checks of plugins run device code on a machine without a GPU: if no GPU is found and the
/// emulated GPU is installed (PREFIX/lib/gsim/emulated_gpu), replaces this process by one that runs
/// the same command `argv` with the emulator in place of the CUDA runtime library. Call it before
/// MPI starts. Does nothing where there is a GPU or no emulator, or in the replaced process.
void restart_with_emulated_gpu(char** argv);

}  // namespace gsim::app
