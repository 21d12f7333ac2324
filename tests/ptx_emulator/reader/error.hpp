#pragma once
// Errors of the reader and of the translation into executable form.

#include <stdexcept>
#include <string>

namespace ptxemu {

/// PTX text that the reader cannot take, or an instruction that the emulator does not implement.
/// The message names the line, the kernel and the instruction as far as they are known.
class PtxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ptxemu
