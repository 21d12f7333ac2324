#include "src/modules/pricing/builtin_parts.hpp"

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

PathModelKinds builtin_path_models() {
  static const std::vector<const PathModelKind*> models = builtin_parts().all<PathModelKind>();
  return models;
}

}  // namespace gsim::pricing
