#pragma once
// The derivatives of scripted payoffs by the spots at their fixings, by reverse execution of the
// program (Griewank and Walther 2008, "Evaluating Derivatives", chapter 3; for payoff languages
// Savine 2018, "Modern Computational Finance: AAD and Parallel Simulations").
//
// Derivative k of a path, with n fixings: k = a n + i is that by the spot of the a-th asset at
// fixing i, and k = assets n + j that by the j-th of the numbers of the program that change with
// the market (TradeSetup::numbers): the value of a payment, or a state before the first fixing.
// These numbers are listed in AdjointEntry::number: their count, then of each one its position in
// the program, ascending, and the sum to which its derivatives are added. The number of
// instructions follows, for each instruction the slope and the offset of its ramp
// (script_adjoint.hpp), and the program itself.

#include <cstddef>

#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"
#include "kernels/pricing/job.hpp"

namespace gsim::pricing {

/// The derivatives of some paths of a scripted payoff, which `entry` sweeps.
template <class T>
struct ScriptDerivativesJob {
  const TradeView<T>* trade;
  const std::int32_t* active;
  const AdjointEntry<T>* entry;
  Tile<T> tile;
  Index first, paths;  ///< of the tile; host: a whole number of LaneSums::lanes
  /// Derivative k of path first + l goes to derivative[k * row + offset + l].
  T* derivative;
  Index row, offset;
  T* memory;       ///< host: script_numbers(); CUDA: [step][tape_row]
  Index tape_row;  ///< at least `paths`
  bool has_steps;  ///< host: `memory` is as a call for other paths has left it
};

/// Host: bytes for an instruction at a fixing, besides its values.
inline constexpr Index script_step_bytes = 192;
/// Host: numbers that the instructions of one call fill, which fit the second-level cache.
inline constexpr Index script_block_numbers = Index{1} << 15;
/// CUDA: numbers of the tapes of the paths of one launch.
inline constexpr Index script_tape_numbers = Index{1} << 25;

/// Host: numbers for each sample, where the sweeps store `arrays` derivatives of a path.
inline Index script_numbers_of_sample(const ScriptSize& s, Index arrays, Index paths_per_sample) {
  return (arrays + s.derivatives) * paths_per_sample + s.states + s.steps + s.registers;
}
/// Host: the number of samples that are derived together.
inline Index script_samples(Index numbers_of_sample) {
  Index samples = 32 * Index{LaneSums::lanes};
  while (samples > LaneSums::lanes && samples * numbers_of_sample > script_block_numbers)
    samples /= 2;
  return samples;
}
/// Host: numbers besides those of the samples.
inline Index script_fixed_numbers(const ScriptSize& s) {
  return s.given * LaneSums::lanes + s.steps * script_step_bytes / Index{sizeof(double)};
}
/// CUDA: the number of paths of one launch, of `paths`.
inline Index script_paths(const ScriptSize& s, Index paths) {
  const Index most = script_tape_numbers / (s.steps > 0 ? s.steps : 1);
  return most < paths ? most : paths;
}
/// The numbers of memory that scripts of at most this size need: on the host with `arrays`, on CUDA
/// for the paths of a tile.
inline Index script_numbers(const ScriptSize& s, Index arrays, Index paths_per_sample) {
  if (s.steps == 0) return 0;
  const Index block = LaneSums::lanes * script_numbers_of_sample(s, arrays, paths_per_sample);
  return script_fixed_numbers(s) + (block > script_block_numbers ? block : script_block_numbers);
}
inline Index script_numbers_of_tile(const ScriptSize& s, Index paths) {
  const Index tapes = s.steps * paths;
  return s.derivatives * paths + (tapes < script_tape_numbers ? tapes : script_tape_numbers);
}

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(derive_script_f64_strict, pricing::ScriptDerivativesJob<double>)
GSIM_DECLARE_LAUNCHER(derive_script_f64_fast, pricing::ScriptDerivativesJob<double>)
