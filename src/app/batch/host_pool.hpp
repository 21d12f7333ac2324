#pragma once
// The hosts of a batch that runs on several machines without Slurm, and their free processors.

#include <string>
#include <utility>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

struct Host {
  std::string name;
  Index cores = 1;
};

/// Reads a host file of MPICH: NAME:PROCESSORS in each line, and comments from # on. InputError if
/// it cannot be read, or holds no host.
std::vector<Host> read_host_file(const std::string& path);

/// Where the ranks of a task are: positions of hosts, and numbers of ranks.
using Placement = std::vector<std::pair<std::size_t, Index>>;

class HostPool {
 public:
  explicit HostPool(std::vector<Host> hosts);

  bool is_empty() const { return hosts_.empty(); }
  /// Whether there are free processors for `ranks` ranks, each with its threads on one host.
  bool fits(Index ranks, Index threads) const;
  /// Places ranks: on one host where they fit, else on those with the most free processors, and
  /// beyond them in turn.
  Placement take(Index ranks, Index threads);
  void give_back(const Placement& placement, Index threads);
  /// Takes a host out, so that nothing is placed on it any more.
  void leave_out(std::size_t host) { is_out_[host] = true; }
  bool is_out(std::size_t host) const { return is_out_[host]; }
  /// Whether there are hosts, all of which were taken out.
  bool are_all_out() const;
  const std::string& name(std::size_t host) const { return hosts_[host].name; }
  /// As Hydra's option -hosts takes it: "w0:2,w1:1".
  std::string text(const Placement& placement) const;

 private:
  std::vector<Host> hosts_;
  std::vector<Index> free_;
  std::vector<bool> is_out_;
};

}  // namespace gsim::app
