#pragma once
// Launches of kernel functors on an executor. For kernel sources (kernels/<physics>/*.cu) only:
// this header is compiled once per target, and with nvcc it includes the CUDA runtime.

#include <type_traits>

#include "gsim/core/types.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/math/target.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace gsim::launching {
/// Throws DeviceError with the name of the kernel unless `error` (the cudaError_t of its launch) is
/// success. With GSIM_SYNC_LAUNCHES=1 in the environment it synchronises `stream` first, so that
/// errors during execution are attributed to their kernel, too.
void check_launch(const char* label, int error, void* stream);
/// Throws DeviceError: this build has no kernel `name` for `target`.
[[noreturn]] void no_launcher(const char* name, Target target);

/// Selects the launcher for `target`: its own, or for a CPU level that was not compiled that of the
/// next lower level, which gives the same bits. `compiled` has one entry per Target, null if there
/// is none. Throws DeviceError if no launcher is suitable.
template <class Launcher>
inline __attribute__((always_inline)) Launcher select_launcher(const Launcher (&compiled)[4],
                                                               Target target, const char* name) {
  int serving = static_cast<int>(target);
  while (target != Target::cuda && serving > 0 && compiled[serving] == nullptr) --serving;
  if (compiled[serving] == nullptr) no_launcher(name, target);
  return compiled[serving];
}
}  // namespace gsim::launching

GSIM_TARGET_BEGIN

#if defined(__CUDACC__)

/// A parameter with __grid_constant__ is read from constant memory; without it, a functor whose
/// members are indexed or passed by reference would be copied to the stack of every thread.
template <class Functor>
__global__ void kernel_loop(Index count, const __grid_constant__ Functor functor) {
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    functor(i);
}

/// Calls functor(i) for every i in [0, count), asynchronously on the executor's stream, with one
/// thread per index. `threads_per_block` is a tuning choice and never changes results.
template <class Functor>
void launch(const Executor& executor, const char* label, Index count, const Functor& functor,
            int threads_per_block = 256) {
  static_assert(std::is_trivially_copyable_v<Functor>);
  if (count <= 0) return;
  const Index required = (count + threads_per_block - 1) / threads_per_block;
  constexpr Index max_blocks = 0x7fffffff;  // CUDA's limit for the first dimension of a grid
  const auto blocks = static_cast<unsigned>(required < max_blocks ? required : max_blocks);
  void* const stream = executor.stream();
  kernel_loop<<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(count, functor);
  // Checked here and not in libgsim, because each library with kernels has its own CUDA runtime.
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
}

#else

/// Calls functor(i) for every i in [0, count) on the executor's threads, in chunks of `grain`
/// indices (0: about sixteen chunks per thread); synchronous. The grain is a tuning choice and
/// never changes results. Exceptions of functor are rethrown.
template <class Functor>
void launch(const Executor& executor, const char* /*label*/, Index count, const Functor& functor,
            Index grain = 0) {
  static_assert(std::is_trivially_copyable_v<Functor>);
  if (count <= 0) return;
  if (grain <= 0) {
    const Index chunks = Index{16} * executor.threads();
    grain = count > chunks ? count / chunks : 1;
  }
  struct Context {
    const Functor* functor;
    Index count, grain;
  } context{&functor, count, grain};
  executor.pool().run((count + grain - 1) / grain,
                      [](void* c, Index chunk, int) {
                        const auto& k = *static_cast<const Context*>(c);
                        const Index last =
                            (chunk + 1) * k.grain < k.count ? (chunk + 1) * k.grain : k.count;
                        for (Index i = chunk * k.grain; i < last; ++i) (*k.functor)(i);
                      },
                      &context);
}

#endif

GSIM_TARGET_END

// A launcher is the ordinary function that a kernel source exports: it takes an executor and one
// argument struct, and exists once per target. At global scope,
//   GSIM_DECLARE_LAUNCHER(name, Args) declares all of them and gsim::name(executor, args), which
//     calls the launcher of executor.target(), or of the next lower CPU level that was compiled,
//     and throws DeviceError if there is none;
//   GSIM_DEFINE_LAUNCHER(name, Args) { … } defines the launcher for the current target, in the
//     .cu file.
// Declarations are weak symbols: a launcher that no object file defines is null. The linker alone
// thus determines for which targets a kernel exists, and calling code is independent of the
// targets. Args is looked up in namespace gsim: write pricing::Args for gsim::pricing::Args.
#define GSIM_DECLARE_LAUNCHER_OF_(target, name, Args)                    \
  namespace launchers::target {                                          \
  __attribute__((weak)) void name(const ::gsim::Executor&, const Args&); \
  }
// Always inlined, because the linker would keep only one of the out-of-line copies for all CPU
// levels.
#define GSIM_DECLARE_LAUNCHER(name, Args)                                                       \
  namespace gsim {                                                                              \
  GSIM_DECLARE_LAUNCHER_OF_(base, name, Args)                                                   \
  GSIM_DECLARE_LAUNCHER_OF_(avx2, name, Args)                                                   \
  GSIM_DECLARE_LAUNCHER_OF_(avx512, name, Args)                                                 \
  GSIM_DECLARE_LAUNCHER_OF_(cuda, name, Args)                                                   \
  inline __attribute__((always_inline)) void name(const Executor& executor, const Args& args) { \
    using Launcher = void (*)(const Executor&, const Args&);                                    \
    const Launcher compiled[] = {launchers::base::name, launchers::avx2::name,                  \
                                 launchers::avx512::name, launchers::cuda::name};               \
    launching::select_launcher(compiled, executor.target(), #name)(executor, args);             \
  }                                                                                             \
  }
#define GSIM_DEFINE_LAUNCHER(name, Args) \
  void gsim::launchers::GSIM_TARGET::name(const Executor& executor, const Args& args)
