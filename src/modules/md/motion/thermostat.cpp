#include "thermostat.hpp"

#include "bussi.hpp"
#include "gsim/core/error.hpp"
#include "nose_hoover.hpp"

namespace gsim::md {

std::unique_ptr<Thermostat> make_thermostat(const ThermostatConfig& config, double freedom,
                                            double time_step, std::uint64_t seed,
                                            std::uint64_t entity) {
  switch (config.kind) {
    case ThermostatKind::nose_hoover:
      return std::make_unique<NoseHooverChain>(freedom, config.time, config.chain, time_step);
    case ThermostatKind::bussi:
      return std::make_unique<BussiThermostat>(freedom, config.time, time_step, seed, entity);
    default:
      throw Error("internal error: this thermostat does not act through the kinetic energy");
  }
}

}  // namespace gsim::md
