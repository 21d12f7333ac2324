#pragma once
// One task of a batch as a process of its own.

#include <string>
#include <vector>

#include <sys/types.h>

#include "gsim/engine/registry.hpp"
#include "manifest.hpp"

namespace gsim::app {

/// How a task is started.
struct TaskLaunch {
  std::vector<std::string> set;  ///< overrides, with the values of references
  std::string folder;            ///< of results and log
  std::string launcher;          ///< see Batch::launcher
  std::string hosts;             ///< as Hydra's -hosts takes them; empty: this machine
  Index threads = 1;             ///< of each rank
  std::vector<Index> gpus;       ///< that it may see; empty: as this process
  bool sees_no_gpu = false;
  bool resume = false;  ///< from its last checkpoint, if there is one
};

/// The path of a task's files in `folder`, without extension.
std::string task_path(const std::string& folder, const BatchTask& task);

/// Starts `gsim run` for a task, in a process group of its own, with its output in FOLDER/NAME.log:
/// without a launcher in a copy of this process (fork), which must have neither threads nor MPI nor
/// a CUDA context; else by the launcher. The process gets SIGUSR1 if this one ends. Returns its
/// process id. IoError if no process can be made.
pid_t start_task(const BatchTask& task, const TaskLaunch& launch, const Registry& registry);

/// The last message "error: …" of a log, without "error: "; or empty.
std::string last_error(const std::string& log);

/// GPUs of this machine that this process may use: those of CUDA_VISIBLE_DEVICES (empty or -1:
/// none), or those that the driver lists.
std::vector<std::string> visible_gpus();

}  // namespace gsim::app
