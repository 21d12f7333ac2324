#pragma once
// Which hosts of a task do not start it.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace gsim::app {

/// The positions in `hosts`, the names of the hosts of a task, of those that its launcher's
/// messages name, in the log from the byte `begin` on: "ssh: connect to host w1 port 22: No route
/// to host". Lines of Hydra's own processes are left out, which begin with the host on which they
/// run. Empty where no host is named, or all of several are.
std::vector<std::size_t> hosts_in_messages(const std::string& log, std::uintmax_t begin,
                                           const std::vector<std::string>& hosts);

/// The positions of those of `hosts` hosts whose connection, a child of MPICH's mpiexec with the
/// process id `launcher`, has ended. Hydra waits without end for a host to which ssh cannot connect
/// (MPICH issue 1620), and leaves the child as a zombie. Empty where all connections are there.
std::vector<std::size_t> hosts_without_connection(pid_t launcher, std::size_t hosts);

/// Counts, for each host, the tasks in a row that it has not started.
class FailedStarts {
 public:
  /// One of `hosts` has not started a task. Returns the host to leave out, which has failed twice:
  /// only one, since nothing says that several are gone; of equals one that has not started any.
  std::optional<std::size_t> add(const std::vector<std::size_t>& hosts);
  /// A host has started a task.
  void note_start(std::size_t host);

 private:
  std::map<std::size_t, int> failed_;
  std::set<std::size_t> has_worked_;
};

}  // namespace gsim::app
