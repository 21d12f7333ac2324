#pragma once
// A kernel that fills tables with every kind of draw, so that the bits of all machines and pack
// widths can be compared.

#include <cstdint>

#include "gsim/exec/launch.hpp"
#include "gsim/exec/view.hpp"
#include "gsim/random/stream.hpp"

namespace gsim {

/// What to fill; tables have one row per entity and are laid out [column][entity].
struct LanesArgs {
  PhiloxKey key;
  std::uint64_t first = 0;  ///< first entity, a multiple of 16
  Index count = 0;          ///< entities, a multiple of 16
  int width = 1;            ///< lanes of a pack: 1, 4, 8 or 16; CUDA threads are always one lane
  View<const std::uint32_t> directions;  ///< reversed, of one dimension
  View<std::uint32_t> words;             ///< 4 columns; 4 more through the general address
  View<double> doubles;
  View<float> floats;
};
inline constexpr Index lanes_words = 8, lanes_doubles = 3, lanes_floats = 5;

}  // namespace gsim

GSIM_DECLARE_LAUNCHER(random_lanes, LanesArgs)
