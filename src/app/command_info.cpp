// gsim info: what this machine offers and what gsim would use of it.

#include <optional>

#include <fmt/format.h>

#include "app.hpp"
#include "gsim/core/build_info.hpp"
#include "gsim/core/log.hpp"
#include "gsim/io/result_file.hpp"

namespace gsim::app {
namespace {

void print_build() {
  const BuildInfo& b = build_info();
  fmt::print("gsim      {} ({})\n", b.version, b.git_hash);
  fmt::print("build     {}, {}, {}\n", b.compiler, b.build_type, b.flags);
  fmt::print("CUDA      {}\n",
             b.cuda_version.empty()
                 ? "not built in"
                 : fmt::format("{}, architectures {}", b.cuda_version, b.cuda_architectures));
}

void print_devices() {
  const auto devices = cuda_devices();
  if (devices.empty()) fmt::print("GPUs      none: {}\n", no_cuda_reason());
  for (const CudaDevice& d : devices) {
    fmt::print("GPU {}     {}, {}, compute capability {}.{}, {}\n", d.ordinal, d.name,
               human_bytes(static_cast<double>(d.total_memory)), d.compute_capability / 10,
               d.compute_capability % 10, d.uuid);
  }
}

std::string cpu_levels() {
  std::string text;
  for (const Target t : available_cpu_targets())
    text += (text.empty() ? "" : ", ") + std::string(to_string(t));
  return text;
}

}  // namespace

int command_info(const Session& session) {
  const Communicator& comm = session.communicator;
  std::optional<Executor> executor;
  comm.agree([&] { executor = bind_executor(DeviceChoice::automatic, session.launch, 0); });
  const BindingReport binding = report_binding(comm, *executor);
  const BufferPathReport buffers = probe_buffer_path(comm, *executor, GpuAware::automatic);
  if (!comm.is_root()) return 0;
  print_build();
  print_devices();
  fmt::print("CPU       {} (this processor and build: {}), {} threads for this process\n",
             to_string(best_cpu_target()), cpu_levels(), available_threads());
  fmt::print("MPI       {}, GPU-aware: {}\n", MpiSession::library_version(),
             MpiSession::says_gpu_aware() ? "yes, says the library" : "no");
  fmt::print("launcher  {}; {}{}\n",
             session.launch.launcher.empty() ? "none" : session.launch.launcher, binding.summary,
             binding.shared ? " (shared by several ranks)" : "");
  fmt::print("buffers   {}\n", buffers.reason);
  fmt::print("would use {} per rank\n", executor->describe());
  fmt::print("HDF5      {}\n", hdf5_version());
  fmt::print("modules  ");
  for (const auto& entry : session.registry.entries())
    fmt::print(" {} ({})", entry.name, entry.doc);
  fmt::print("{}\n", session.registry.entries().empty() ? " none" : "");
  return 0;
}

}  // namespace gsim::app
