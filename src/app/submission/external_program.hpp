#pragma once
// Programs of batch systems: sbatch, squeue, scancel, kubectl.

#include <string>
#include <vector>

namespace gsim::app {

struct ProgramOutput {
  int code = 0;  ///< exit code; 127: there is no such program
  std::string out, err;
};

/// Whether a folder of PATH holds the program.
bool has_program(const std::string& name);

/// Runs a program without a shell, with an empty standard input, and returns its exit code and what
/// it printed. IoError if no process can be made.
ProgramOutput run_program(const std::vector<std::string>& words);

/// `text` in single quotes for a shell, unless it has none but harmless characters.
std::string shell_quoted(const std::string& text);

}  // namespace gsim::app
