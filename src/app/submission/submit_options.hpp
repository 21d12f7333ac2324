#pragma once
// [submit] of a manifest: the job that `gsim batch submit` makes.

#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/core/types.hpp"

namespace gsim::app {

/// A persistent volume claim and the folder of the pods at which it is mounted.
struct VolumeClaim {
  std::string claim, path;
};

/// [submit.kubernetes].
struct KubernetesOptions {
  std::string image;
  std::string space;             ///< namespace; empty: that of the current context of kubectl
  std::string program = "gsim";  ///< in the image
  /// Of the pods, to which the path of the manifest is relative; empty: that of the image.
  std::string folder;
  std::string gpu = "nvidia.com/gpu";  ///< name of the resource
  std::string ssh_folder = "/home/gsim/.ssh";
  Index user = 1000;
  Index retries = 6;
  std::vector<VolumeClaim> volumes;
};

struct SubmitOptions {
  std::string name;                ///< empty: that of the manifest
  std::string partition, account;  ///< empty: the cluster's defaults
  std::vector<std::string> options;
  Index nodes = 1;
  Index cores = 0;     ///< of each node; 0: from the tasks
  Index gpus = -1;     ///< of each node; -1: from the tasks
  double memory = 0;   ///< of each node, in GB; 0: the forecast
  double time = 0;     ///< seconds; 0: the default of the partition
  double grace = 300;  ///< seconds before the end at which tasks write checkpoints
  Index array = 0;     ///< tasks of an element of an array; 0: one job
  bool requeue = true;
  KubernetesOptions kubernetes;
};

void describe_submit(Section& s, SubmitOptions& o);
void validate_submit(const Section& s, SubmitOptions& o);

}  // namespace gsim::app
