#include "src/modules/pricing/builtin_parts.hpp"

#include <string>

#include "gsim/core/error.hpp"

namespace gsim::pricing {
namespace {

const Registry& builtin_parts() {
  static const Registry registry = [] {
    Registry parts;
    register_builtin_payoffs(parts);
    register_builtin_path_models(parts);
    return parts;
  }();
  return registry;
}

}  // namespace

PayoffKinds builtin_payoffs() {
  static const std::vector<const PayoffKind*> payoffs = builtin_parts().all<PayoffKind>();
  return payoffs;
}

const PayoffKind& builtin_payoff(std::string_view name) {
  for (const PayoffKind* kind : builtin_payoffs())
    if (kind->name == name) return *kind;
  throw Error("internal error: there is no payoff " + std::string(name));
}

PathModelKinds builtin_path_models() {
  static const std::vector<const PathModelKind*> models = builtin_parts().all<PathModelKind>();
  return models;
}

}  // namespace gsim::pricing
