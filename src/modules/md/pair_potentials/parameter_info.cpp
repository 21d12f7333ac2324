#include "src/modules/md/pair_potentials/parameter_info.hpp"

#include <array>
#include <cstdlib>

namespace gsim::md {

std::string unit_name(const ParameterUnit& unit) {
  struct Factor {
    const char* name;
    int power;
  };
  const std::array<Factor, 3> factors{
      {{"energy", unit.energy_power}, {"length", unit.length_power}, {"rad", unit.angle_power}}};
  std::string above, below;
  for (const Factor& f : factors) {
    if (f.power == 0) continue;
    std::string& part = f.power > 0 ? above : below;
    const int power = std::abs(f.power);
    part += (part.empty() ? "" : " ") + std::string(f.name) +
            (power > 1 ? "^" + std::to_string(power) : "");
  }
  if (below.empty()) return above;
  const bool is_product = below.find(' ') != std::string::npos;
  return (above.empty() ? "1" : above) + "/" + (is_product ? "(" + below + ")" : below);
}

KeyInfo parameter_info(const PotentialParameter& p) {
  KeyInfo info{.doc = p.doc, .unit = unit_name(p.unit)};
  if (p.range != ParameterRange::any) info.minimum = 0;
  info.exclusive_minimum = p.range == ParameterRange::positive;
  return info;
}

}  // namespace gsim::md
