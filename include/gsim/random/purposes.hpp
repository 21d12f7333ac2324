#pragma once
// The registry of random-stream purposes. A purpose is part of the address of every random number,
// so two uses never share numbers. Purposes are never reused or changed, since they determine the
// bits of published runs. Plugins use 0x8000 and above.

#include <cstdint>

namespace gsim {

enum class Purpose : std::uint32_t {
  test = 0,
  pricing_path_normals = 1,  ///< Gaussian increments of asset paths
  // 2 was used by earlier forms of the Heston scheme.
  pricing_jump_count = 3,         ///< uniforms that decide the number of jumps in a step
  pricing_jump_size = 4,          ///< normals of jump sizes
  pricing_bridge = 5,             ///< uniforms of Brownian-bridge extremes between dates
  pricing_scramble = 6,           ///< seeds of Owen scrambling
  pricing_risk_scenario = 7,      ///< changes of risk factors, by scenario
  pricing_risk_bootstrap = 8,     ///< scenarios that a bootstrap draws, by resample
  pricing_default_intensity = 9,  ///< normals of hazard rates, by path
  md_start_velocity = 32,         ///< normals of initial velocities, by atom
  md_start_position = 33,         ///< uniforms of randomly placed atoms
  md_start_chain = 34,            ///< directions of the bonds of randomly grown chains
  md_langevin = 35,               ///< normals of Langevin dynamics, by atom
  md_thermostat = 36,             ///< draws of stochastic velocity rescaling, by thermostat
  md_barostat = 37,               ///< normals of stochastic cell rescaling, by axis
  transport_history = 64,         ///< all random numbers of particle histories (history_random.hpp)
  transport_comb = 65,            ///< offset of the systematic resampling of fission sites
  transport_points = 66,          ///< points at which the geometry is sampled
  transport_first_source = 67,    ///< neutrons of the first generation
  transport_windows = 68,         ///< histories for the generation of weight windows
  first_plugin_purpose = 0x8000,
};

}  // namespace gsim
