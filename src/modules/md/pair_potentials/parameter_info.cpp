#include "src/modules/md/pair_potentials/parameter_info.hpp"

#include <array>
#include <cmath>
#include <cstdlib>

namespace gsim::md {

std::string unit_name(const ParameterUnit& unit) {
  if (unit.is_in_degrees) return "degrees";
  struct Factor {
    const char* name;
    int power;
  };
  const std::array<Factor, 3> factors{
      {{"energy", unit.energy_power}, {"length", unit.length_power}, {"rad", unit.angle_power}}};
  std::string numerator, denominator;
  for (const Factor& f : factors) {
    if (f.power == 0) continue;
    std::string& part = f.power > 0 ? numerator : denominator;
    const int power = std::abs(f.power);
    part += (part.empty() ? "" : " ") + std::string(f.name) +
            (power > 1 ? "^" + std::to_string(power) : "");
  }
  if (denominator.empty()) return numerator;
  const bool is_product = denominator.find(' ') != std::string::npos;
  return (numerator.empty() ? "1" : numerator) + "/" +
         (is_product ? "(" + denominator + ")" : denominator);
}

KeyInfo parameter_info(const PotentialParameter& p) {
  KeyInfo info{.doc = p.doc, .unit = unit_name(p.unit)};
  if (p.range != ParameterRange::any) info.minimum = 0;
  if (p.range == ParameterRange::angle) info.maximum = 180;
  info.exclusive_minimum = p.range == ParameterRange::positive;
  return info;
}

const char* range_problem(const PotentialParameter& p, double value) {
  if (!std::isfinite(value)) return "not a finite number";
  if (p.range == ParameterRange::not_negative && value < 0) return "negative";
  if (p.range == ParameterRange::positive && !(value > 0)) return "not positive";
  if (p.range == ParameterRange::angle && !(value >= 0 && value <= 180))
    return "not between 0 and 180 degrees";
  return nullptr;
}

}  // namespace gsim::md
