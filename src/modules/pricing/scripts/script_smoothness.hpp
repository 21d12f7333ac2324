#pragma once
// Whether the payments of a script are continuous functions of the spots, and where they jump.

#include <vector>

#include "src/modules/pricing/scripts/script_program.hpp"

namespace gsim::pricing {

/// What an instruction of a program compares.
enum class ScriptComparison {
  none,           ///< nothing, or values that are the same on all paths
  whole_numbers,  ///< counts and conditions
  smooth,         ///< functions of the spots
  /// Functions of the spots by == or !=, or with values that depend themselves on conditions on the
  /// spots and are not whole numbers; or the instruction is a square root of a value with a kink,
  /// whose derivative would have an infinite variance where the value begins at 0.
  refused
};

/// The instructions of a program, by segment, with what they read.
struct ScriptListing {
  std::vector<std::vector<ScriptInstruction>> segments;
  std::vector<double> initial, constants;
  std::vector<bool> has_whole_numbers;  ///< [tables]
};
ScriptListing listing_of(const ScriptProgram& program);

/// What the instructions of a program compare, those of all segments one after the other. Without
/// comparisons payments are Lipschitz continuous in the spots where their logarithms, quotients and
/// square roots are those of numbers that are not near 0.
std::vector<ScriptComparison> comparisons_of(const ScriptListing& program);

}  // namespace gsim::pricing
