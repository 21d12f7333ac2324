#pragma once
// Launching a kernel functor on an executor. For kernel sources (kernels/<physics>/*.cu) only: this
// header is compiled once per target, and under nvcc it includes the CUDA runtime.

#include <type_traits>

#include "gsim/core/types.hpp"
#include "gsim/exec/executor.hpp"
#include "gsim/math/target.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace gsim::launching {
/// Throws DeviceError naming the kernel when `error` (the cudaError_t of its launch) is no success.
/// With GSIM_SYNC_LAUNCHES=1 in the environment it waits for `stream` first, so that a kernel that
/// fails while it runs is named, too.
void check_launch(const char* label, int error, void* stream);
/// Throws DeviceError: this build holds no `name` for `target`.
[[noreturn]] void no_launcher(const char* name, Target target);
}  // namespace gsim::launching

GSIM_TARGET_BEGIN

#if defined(__CUDACC__)

template <class Functor>
__global__ void kernel_loop(Index count, Functor functor) {
  const Index stride = static_cast<Index>(gridDim.x) * blockDim.x;
  for (Index i = static_cast<Index>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    functor(i);
}

/// Calls functor(i) for every i in [0, count), asynchronously on the executor's stream, one thread
/// an index. `threads_per_block` is a tuning choice and never changes a result.
template <class Functor>
void launch(const Executor& executor, const char* label, Index count, const Functor& functor,
            int threads_per_block = 256) {
  static_assert(std::is_trivially_copyable_v<Functor>);
  if (count <= 0) return;
  const Index wanted = (count + threads_per_block - 1) / threads_per_block;
  const auto blocks = static_cast<unsigned>(wanted < 0x7fffffff ? wanted : 0x7fffffff);
  void* const stream = executor.stream();
  kernel_loop<<<blocks, threads_per_block, 0, static_cast<cudaStream_t>(stream)>>>(count, functor);
  // Asked here, not in libgsim: each library that holds kernels has a CUDA runtime of its own.
  launching::check_launch(label, static_cast<int>(cudaGetLastError()), stream);
}

#else

/// Calls functor(i) for every i in [0, count) on the executor's threads, in chunks of `grain`
/// indices (0: about sixteen chunks a thread); returns when all are done. The grain is a tuning
/// choice and never changes a result. What functor throws is rethrown.
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
//     picks by executor.target() and throws DeviceError for a target that the build lacks;
//   GSIM_DEFINE_LAUNCHER(name, Args) { … } defines it for the target being compiled, in the .cu
//   file.
// Args is looked up in namespace gsim: write pricing::Args for gsim::pricing::Args.
#if defined(GSIM_HAS_CUDA)
#define GSIM_CUDA_LAUNCHER_(name) launchers::cuda::name
#else
#define GSIM_CUDA_LAUNCHER_(name) nullptr
#endif
#if defined(GSIM_HAS_X86_LEVELS)
#define GSIM_X86_LAUNCHER_(level, name) launchers::level::name
#else
#define GSIM_X86_LAUNCHER_(level, name) nullptr
#endif

// Always inlined: an out-of-line copy per CPU level would leave the choice to the linker.
#define GSIM_DECLARE_LAUNCHER(name, Args)                                                       \
  namespace gsim {                                                                              \
  namespace launchers::base {                                                                   \
  void name(const Executor&, const Args&);                                                      \
  }                                                                                             \
  namespace launchers::avx2 {                                                                   \
  void name(const Executor&, const Args&);                                                      \
  }                                                                                             \
  namespace launchers::avx512 {                                                                 \
  void name(const Executor&, const Args&);                                                      \
  }                                                                                             \
  namespace launchers::cuda {                                                                   \
  void name(const Executor&, const Args&);                                                      \
  }                                                                                             \
  inline __attribute__((always_inline)) void name(const Executor& executor, const Args& args) { \
    using Launcher = void (*)(const Executor&, const Args&);                                    \
    const Target target = executor.target();                                                    \
    Launcher launcher = nullptr;                                                                \
    switch (target) {                                                                           \
      case Target::base:                                                                        \
        launcher = launchers::base::name;                                                       \
        break;                                                                                  \
      case Target::avx2:                                                                        \
        launcher = GSIM_X86_LAUNCHER_(avx2, name);                                              \
        break;                                                                                  \
      case Target::avx512:                                                                      \
        launcher = GSIM_X86_LAUNCHER_(avx512, name);                                            \
        break;                                                                                  \
      case Target::cuda:                                                                        \
        launcher = GSIM_CUDA_LAUNCHER_(name);                                                   \
        break;                                                                                  \
    }                                                                                           \
    if (launcher == nullptr) launching::no_launcher(#name, target);                             \
    launcher(executor, args);                                                                   \
  }                                                                                             \
  }
#define GSIM_DEFINE_LAUNCHER(name, Args) \
  void gsim::launchers::GSIM_TARGET::name(const Executor& executor, const Args& args)
