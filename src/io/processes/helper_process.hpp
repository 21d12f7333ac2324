#pragma once
// A forked process that answers requests, for work that may crash or never end.

#include <functional>
#include <string>

#include <sys/types.h>

#include "src/io/processes/byte_stream.hpp"

namespace gsim::io {

/// Handles one request; exceptions are sent back as errors.
using RequestHandler = std::function<ByteStream(ByteStream request)>;

/// The child process ends with this object or with this process. It has no standard streams,
/// inherits no other open files, and must not use MPI or CUDA.
class HelperProcess {
 public:
  /// Forks. `start` is called in the child, returns the request handler and must not throw.
  /// `subject` is the file that messages of errors name ("run.h5"). A request may use `seconds` of
  /// CPU time; waiting for a disk does not count. IoError if no process can be created.
  HelperProcess(std::string subject, double seconds, const std::function<RequestHandler()>& start);
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// Sends a request and returns the reply. Errors of the child are rethrown: an InputError as
  /// such, all others as IoError. A crash or a timeout of the child is an IoError stating that the
  /// file is damaged, for this and all later requests.
  ByteStream request(const ByteStream& request);

 private:
  [[noreturn]] void throw_ended();

  std::string subject_;
  double seconds_;
  pid_t process_ = -1;
  int socket_ = -1;
  std::string end_;  ///< the reason why the child ended
};

}  // namespace gsim::io
