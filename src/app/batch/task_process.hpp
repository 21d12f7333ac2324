#pragma once
// One task of a batch as a process of its own.

#include <cstdint>
#include <map>
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
  bool resume = false;             ///< from its last checkpoint, if there is one
  bool has_checkpoints = true;     ///< whether there may be files NAME.ckpt.N
  bool leaves_checkpoint = false;  ///< whether checkpoint.at_end is left as it is; else it is false
};

/// The path of a task's files in `folder`, without extension.
std::string task_path(const std::string& folder, const BatchTask& task);

/// The tasks whose checkpoints NAME.ckpt.N are in a folder, with the paths of these.
std::map<std::string, std::vector<std::string>> checkpoints_in(const std::string& folder);

/// Makes start_task() cheaper: writes a small file of results in `folder`, and removes it, so that
/// the functions of libraries are found once here, and not in every copy of this process.
void prepare_processes(const std::string& folder);

/// Starts `gsim run` for a task, in a process group of its own, with its output in FOLDER/NAME.log:
/// without a launcher in a copy of this process (fork), which must have neither threads nor MPI nor
/// a CUDA context; else by the launcher. The process gets SIGUSR1 if this one ends. Returns its
/// process id. IoError if no process can be made.
pid_t start_task(const BatchTask& task, const TaskLaunch& launch, const Registry& registry);

/// Why a task has failed: the last message "error: …" of its log, without "error: ", or else the
/// last line, which may be of its launcher; empty if the log is.
std::string failure_in(const std::string& log);

/// Whether gsim itself, and not only its launcher, has written to a log from the byte `begin` on:
/// the log of a resumed task begins with that of its earlier part.
bool has_started(const std::string& log, std::uintmax_t begin);

/// GPUs of this machine that this process may use: those of CUDA_VISIBLE_DEVICES (empty or -1:
/// none), or those that the driver lists.
std::vector<std::string> visible_gpus();

}  // namespace gsim::app
