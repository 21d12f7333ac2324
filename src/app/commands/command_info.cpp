// gsim info: the resources of this machine and those that gsim would use.

#include <optional>

#include <fmt/format.h>

#include "gsim/core/build_info.hpp"
#include "gsim/core/text.hpp"
#include "gsim/exec/processors.hpp"
#include "gsim/io/result_file.hpp"
#include "src/app/app.hpp"
#include "src/app/start/standard_streams.hpp"

namespace gsim::app {
namespace {

void print_build() {
  const BuildInfo& b = build_info();
  print_out("gsim      {} ({})\n", b.version, b.git_hash);
  print_out("build     {}, {}, {}, CPU levels {}\n", b.compiler, b.build_type, b.flags,
            b.cpu_levels);
  print_out("CUDA      {}\n",
            b.cuda_version.empty()
                ? "not built in"
                : fmt::format("{}, architectures {}", b.cuda_version, b.cuda_architectures));
}

void print_devices() {
  const auto devices = cuda_devices();
  if (devices.empty()) print_out("GPUs      none: {}\n", no_cuda_reason());
  for (const CudaDevice& d : devices) {
    print_out("GPU {}     {}, {}, compute capability {}.{}, {}\n", d.ordinal, d.name,
              human_bytes(static_cast<double>(d.total_memory)), d.compute_capability / 10,
              d.compute_capability % 10, d.uuid);
  }
}

}  // namespace

int command_info(const Session& session) {
  const Communicator& comm = session.communicator;
  std::optional<Executor> executor;
  comm.agree(
      [&] { executor = bind_executor(DeviceChoice::automatic, session.launch, /*threads=*/0); });
  const BindingReport binding = report_binding(comm, *executor);
  const BufferPathReport buffers = probe_buffer_path(comm, *executor, GpuAware::automatic);
  release_buffer_path(comm);
  if (!comm.is_root()) return 0;
  print_build();
  print_devices();
  print_out("CPU       {} (this processor and build: {}), {} threads for this process\n",
            to_string(best_cpu_target()), to_string(available_cpu_targets()), available_threads());
  print_out("MPI       {}, GPU-aware: {}\n", MpiSession::library_version(),
            MpiSession::claims_gpu_awareness() ? "yes, according to the library" : "no");
  print_out("launcher  {}; {}{}\n",
            session.launch.launcher.empty() ? "none" : session.launch.launcher, binding.summary,
            binding.shared ? " (shared by several ranks)" : "");
  print_out("start     {} -n N gsim run CONFIG   (the launcher of this MPI)\n", mpi_launcher());
  print_out("buffers   {}: {}\n", to_string(buffers.path), buffers.reason);
  print_out("would use {} per rank\n", executor->describe());
  print_out("HDF5      {}\n", hdf5_version());
  print_out("modules  ");
  for (const auto& entry : session.registry.entries()) print_out(" {} ({})", entry.name, entry.doc);
  print_out("{}\n", session.registry.entries().empty() ? " none" : "");
  return 0;
}

}  // namespace gsim::app
