#pragma once
// Errors of the parser and of the translation to executable form.

#include <stdexcept>
#include <string>

namespace ptxemu {

/// PTX text that the parser does not accept, or an instruction that the emulator does not
/// implement. The message gives the line, the kernel and the instruction if they are known.
class PtxError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The program has no code for the device.
class NoKernelImage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace ptxemu
