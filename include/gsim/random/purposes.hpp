#pragma once
// The registry of random-stream purposes. A purpose is part of every draw's address, so two uses
// never share numbers. Numbers are never reused or changed: they decide the bits of published runs.
// Plugins use 0x8000 and above.

#include <cstdint>

namespace gsim {

enum class Purpose : std::uint32_t {
  test = 0,
  pricing_path_normals = 1,  ///< Gaussian increments of asset paths
  // 2 was drawn from by earlier forms of the Heston scheme.
  pricing_jump_count = 3,       ///< uniforms that decide the number of jumps in a step
  pricing_jump_size = 4,        ///< normals of jump sizes
  pricing_bridge = 5,           ///< uniforms of Brownian-bridge extremes between dates
  pricing_scramble = 6,         ///< seeds of Owen scrambling
  md_start_velocity = 32,       ///< normals of the first velocities, by atom
  md_start_position = 33,       ///< uniforms of randomly placed atoms
  md_start_chain = 34,          ///< directions of the bonds of randomly grown chains
  md_langevin = 35,             ///< normals of Langevin dynamics, by atom
  md_thermostat = 36,           ///< draws of stochastic velocity rescaling, by thermostat
  md_barostat = 37,             ///< normals of stochastic cell rescaling, by axis
  transport_history = 64,       ///< all draws of particles' histories (history_random.hpp)
  transport_comb = 65,          ///< the offset of each generation's comb
  transport_points = 66,        ///< points at which geometry is examined
  transport_first_source = 67,  ///< neutrons of the first generation
  transport_windows = 68,       ///< histories that weight windows are made from
  first_plugin_purpose = 0x8000,
};

}  // namespace gsim
