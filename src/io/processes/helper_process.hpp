#pragma once
// A copy of this process that answers requests, for work that may crash or never end.

#include <functional>
#include <string>

#include <sys/types.h>

#include "src/io/processes/byte_stream.hpp"

namespace gsim::io {

/// Answers one request; what it throws becomes the answer, an error.
using Answer = std::function<ByteStream(ByteStream request)>;

/// The other process ends with this object, or with this process. It has no standard streams and no
/// other files of this one's, and must not use MPI or CUDA.
class HelperProcess {
 public:
  /// `start` is called in the new process, gives what answers there and must not throw. `subject`
  /// is what errors are about ("run.h5"). An answer may take `seconds` of computing; waiting for a
  /// disk does not count. IoError when no process can be made.
  HelperProcess(std::string subject, double seconds, const std::function<Answer()>& start);
  ~HelperProcess();
  HelperProcess(const HelperProcess&) = delete;
  HelperProcess& operator=(const HelperProcess&) = delete;

  /// The answer to a request. Errors that the other process throws are thrown here, an InputError
  /// as such and all others as IoError; its crash, and an answer that takes too long, are IoErrors
  /// that say that the file is damaged, then and for all later requests.
  ByteStream ask(const ByteStream& request);

 private:
  [[noreturn]] void tell_end();

  std::string subject_;
  double seconds_;
  pid_t process_ = -1;
  int socket_ = -1;
  std::string end_;  ///< why it ended
};

}  // namespace gsim::io
