#pragma once
// A kernel that fills tables with every kind of random number, so that the bits of all CPU levels,
// CUDA and pack widths can be compared and stored as digests.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/random/stream.hpp"

namespace gsim {

/// Columns of the tables; a table has one column after the other, each with one row per entity. The
/// words of a block are computed twice: by the function for consecutive entities, and by that for
/// any entities.
enum LanesWords {
  word0,
  word1,
  word2,
  word3,
  any_entity_word0,
  any_entity_word1,
  any_entity_word2,
  any_entity_word3,
  words_end
};
enum LanesDoubles {
  uniform_double0,
  uniform_double1,
  sobol_double,
  normal_double0,
  normal_double1,
  normal_double2,
  normal_double3,
  sobol_normal_double,
  doubles_end
};
enum LanesFloats {
  uniform_float0,
  uniform_float1,
  uniform_float2,
  uniform_float3,
  sobol_float,
  normal_float0,
  normal_float1,
  normal_float2,
  normal_float3,
  sobol_normal_float,
  floats_end
};

struct LanesArgs {
  PhiloxKey key;
  std::uint64_t first = 0;  ///< first entity, a multiple of 16
  Index count = 0;          ///< entities, a multiple of 16
  /// Lanes of a pack: base 1, 4; AVX2 and AVX-512 1, 4, 8, 16. A CUDA thread is one lane. Other
  /// widths are replaced by 1.
  int width = 1;
  View<const std::uint32_t> directions;  ///< reversed Sobol direction numbers of one dimension
  View<std::uint32_t> words;             ///< words_end columns
  View<double> doubles;                  ///< doubles_end columns
  View<float> floats;                    ///< floats_end columns
};

}  // namespace gsim

GSIM_DECLARE_LAUNCHER(random_lanes, LanesArgs)
