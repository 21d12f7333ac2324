#include "src/modules/pricing/builtin_parts.hpp"

namespace gsim::pricing {

PayoffKinds builtin_payoffs() {
  static const Registry registry = [] {
    Registry parts;
    register_builtin_payoffs(parts);
    return parts;
  }();
  static const std::vector<const PayoffKind*> payoffs = registry.all<PayoffKind>();
  return payoffs;
}

}  // namespace gsim::pricing
