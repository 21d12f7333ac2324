#pragma once
// Job scripts for Slurm.

#include <string>

#include "allocation.hpp"
#include "src/app/batch/manifest.hpp"

namespace gsim::app {

/// What the job scripts call.
struct JobCommand {
  std::string program;   ///< absolute path of gsim
  std::string folder;    ///< absolute path of the folder of the batch
  std::string manifest;  ///< as `gsim batch run` gets it
  std::string working_directory;
};

/// The first comment of scripts and manifests.
std::string written_by(const Batch& batch);

/// The name of the job: [submit] name, or that of the manifest.
std::string job_name(const Batch& batch);

/// The launcher of tasks of several nodes, unless the manifest has one: srun, with a GPU for each
/// rank if the allocation has GPUs. Each rank sees all GPUs of the task on its node, so that
/// messages go from GPU to GPU.
std::string slurm_launcher(const Batch& batch, const Allocation& allocation);

/// The job script: one allocation that runs `gsim batch run --resume=auto`, or, for an array, one
/// for each element. `grace` before the limit, and at a preemption, tasks write checkpoints; the
/// job is then queued again, unless the folder holds the file `cancelled`.
std::string slurm_script(const Batch& batch, const Allocation& allocation,
                         const JobCommand& command);

/// The script of the job that collects the results of an array.
std::string slurm_collect_script(const Batch& batch, const JobCommand& command);

/// The limits of the partition of [submit], or of the default partition, as far as sinfo tells
/// them.
ClusterLimits slurm_limits(const Batch& batch);

/// The same from lines PARTITION|CORES|TIME of sinfo; those of a default partition end with `*`.
ClusterLimits slurm_limits_in(const std::string& lines, bool is_default);

}  // namespace gsim::app
