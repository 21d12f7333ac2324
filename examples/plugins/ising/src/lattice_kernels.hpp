#pragma once
// Device code: spins as bits, 64 to a word, and the update of a word.
//
// The lattice is divided like a checkerboard: a site (x, y, z) has the colour (x + y + z) mod 2,
// and all its neighbours have the other colour. Each colour has a field of words of its own: bit b
// of word (w, y, z) of colour c is the site with x = 2 (64 w + b) + (y + z + c) mod 2. Neighbours
// along y and z are therefore the same bits of the neighbouring words, and those along x are the
// same bit and the one before or after it.

#include <cstdint>

#include <gsim/core/exact_sum.hpp>
#include <gsim/exec/launch.hpp>
#include <gsim/random/philox.hpp>

namespace ising {

/// A block of words of the two fields, which have the same layout: the index of its first word in
/// the memory of a field, the number of words along each axis, and the strides along y and z in
/// words (the stride along x is 1).
struct Words {
  gsim::Index first = 0;
  gsim::Index size[3] = {0, 0, 0};
  gsim::Index stride_y = 0, stride_z = 0;
  gsim::Index origin[3] = {0, 0, 0};  ///< of the first word in the lattice
  int dimensions = 2;                 ///< 2: there are no neighbours along z
};

/// A Metropolis update (Metropolis et al. 1953) of all spins of one colour in a block. `own` are
/// the words of this colour, `other` those of the other one. If n of the 2 d neighbours of a spin
/// (d: dimensions) are aligned with it, a flip changes the energy by 4 J (n - d). The spin flips if
/// n <= d, else with the probability exp(-4 beta J (n - d)).
struct UpdateArgs {
  std::uint64_t* own = nullptr;
  const std::uint64_t* other = nullptr;
  Words words;
  int colour = 0;
  gsim::Index lattice_words[2] = {0, 0};  ///< words of the lattice along x and y
  /// Probabilities for n - d = 1, 2, 3 in units of 2^-32.
  std::uint32_t probability[3] = {0, 0, 0};
  gsim::PhiloxKey key;
  std::uint64_t step = 0;  ///< 2 sweep + colour, in the addresses of random numbers
};

/// Adds the number of aligned pairs of neighbours to sums[0], and the number of spins that are up
/// to sums[1]. `own` are the words of colour 0, `other` those of colour 1.
struct MeasureArgs {
  const std::uint64_t* own = nullptr;
  const std::uint64_t* other = nullptr;
  Words words;
  gsim::ExactSum* sums = nullptr;  ///< in host memory
};

/// Random spins: bits of the Philox block of a word.
struct RandomArgs {
  std::uint64_t* own = nullptr;
  Words words;
  int colour = 0;
  gsim::Index lattice_words[2] = {0, 0};  ///< words of the lattice along x and y
  gsim::PhiloxKey key;
};

/// The spins of a block of words as numbers, +1 and -1: for pictures.
struct SpinsArgs {
  const std::uint64_t* words[2] = {nullptr, nullptr};  ///< of both colours
  Words block;
  std::int32_t* spins = nullptr;  ///< a field of sites, without ghosts
  gsim::Index first = 0;          ///< index of the first site in `spins`
  gsim::Index stride_y = 0, stride_z = 0;
};

}  // namespace ising

GSIM_DECLARE_LAUNCHER(ising_update, ::ising::UpdateArgs)
GSIM_DECLARE_LAUNCHER(ising_measure, ::ising::MeasureArgs)
GSIM_DECLARE_LAUNCHER(ising_random, ::ising::RandomArgs)
GSIM_DECLARE_LAUNCHER(ising_spins, ::ising::SpinsArgs)
