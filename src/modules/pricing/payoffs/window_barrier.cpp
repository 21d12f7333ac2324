// Barrier options whose barrier is monitored in a part of the life, on the dates of a schedule.

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/scripts/run_barrier.hpp"

namespace gsim::pricing {
namespace window_barrier_payoff {
namespace {

std::string name(const TradeConfig& t) { return "window " + run_barrier_name(t); }

}  // namespace
}  // namespace window_barrier_payoff

void register_window_barrier(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = describe_run_barrier,
      .validate = validate_run_barrier,
      .name = window_barrier_payoff::name,
      .set_up = set_up_script,
  };
  registry.extend(PayoffKind{.name = "window_barrier",
                             .doc = "barrier option that is monitored in a part of its life",
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
