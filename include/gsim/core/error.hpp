#pragma once
// The exceptions that gsim throws. Every message states what is wrong, the reason, and what the
// user can do. The program prints the message once and ends with the exit code of the exception.

#include <stdexcept>
#include <string>

namespace gsim {

/// Exit codes of the process (configs/README.md).
enum class ExitCode : int { done = 0, failure = 1, bad_input = 2, stopped_with_checkpoint = 75 };

/// Base of all gsim exceptions.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  virtual ExitCode exit_code() const noexcept { return ExitCode::failure; }

  /// Whether every rank throws this same error (set by Communicator::agree). The ranks can then end
  /// normally; an error of a single rank has to abort the others.
  bool is_agreed() const noexcept { return agreed_; }
  void mark_agreed() noexcept { agreed_ = true; }

 private:
  bool agreed_ = false;
};

/// An input is invalid: configuration, trade file, command line, checkpoint, plugin.
class InputError : public Error {
 public:
  using Error::Error;
  ExitCode exit_code() const noexcept override { return ExitCode::bad_input; }
};

/// A file could not be read or written.
class IoError : public Error {
 public:
  using Error::Error;
};

/// Communication between ranks failed, or the ranks that the launcher started are not as expected.
class CommError : public Error {
 public:
  using Error::Error;
};

/// A CUDA call failed, or there is no device of the requested kind.
class DeviceError : public Error {
 public:
  using Error::Error;
};

/// A computation produced NaN or an infinity, or a value exceeded its range.
class NumericalError : public Error {
 public:
  using Error::Error;
};

namespace contract {
[[noreturn]] void broken_contract(const char* kind, const char* condition, const char* file,
                                  int line);
[[noreturn]] void invalid(const std::string& problem, const std::string& suggestion);
}  // namespace contract

}  // namespace gsim

/// Active in all builds: throws InputError "problem; suggestion" unless `condition` holds.
#define GSIM_VALIDATE(condition, problem, suggestion) \
  ((condition) ? (void)0 : ::gsim::contract::invalid((problem), (suggestion)))

// Contracts, active in debug builds: preconditions, assertions, postconditions.
#ifndef NDEBUG
#define GSIM_CONTRACT_(kind, c) \
  ((c) ? (void)0 : ::gsim::contract::broken_contract(kind, #c, __FILE__, __LINE__))
#else
#define GSIM_CONTRACT_(kind, c) ((void)sizeof(!(c)))
#endif
#define GSIM_EXPECT(c) GSIM_CONTRACT_("precondition", c)
#define GSIM_ASSERT(c) GSIM_CONTRACT_("assertion", c)
#define GSIM_ENSURE(c) GSIM_CONTRACT_("postcondition", c)
