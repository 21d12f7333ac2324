#include "src/modules/md/nonbonded/parameter_info.hpp"

namespace gsim::md {
namespace {

std::string unit_name(ParameterUnit unit) {
  switch (unit) {
    case ParameterUnit::energy:
      return "energy";
    case ParameterUnit::length:
      return "length";
    case ParameterUnit::per_length:
      return "1/length";
    case ParameterUnit::energy_length:
      return "energy length";
    case ParameterUnit::energy_length6:
      return "energy length^6";
    case ParameterUnit::none:
      break;
  }
  return "";
}

}  // namespace

KeyInfo parameter_info(const PotentialParameter& p) {
  KeyInfo info{.doc = p.doc, .unit = unit_name(p.unit)};
  if (p.range != ParameterRange::any) info.minimum = 0;
  info.exclusive_minimum = p.range == ParameterRange::positive;
  return info;
}

}  // namespace gsim::md
