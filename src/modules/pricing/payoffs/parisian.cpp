// Parisian barrier options, which are knocked in or out by a number of consecutive dates beyond the
// barrier (Chesney, Jeanblanc-Picque and Yor 1997, "Brownian excursions and Parisian barrier
// options", with continuous monitoring).

#include "gsim/engine/registry.hpp"
#include "src/modules/pricing/scripts/run_barrier.hpp"

namespace gsim::pricing {
namespace parisian_payoff {
namespace {

void describe(Section& s, TradeInput& t) {
  describe_run_barrier(s, t);
  describe_run_dates(s, t);
  Index consecutive = 1, before = 0;
  s.required("consecutive", consecutive,
             {.doc = "number of consecutive dates beyond the barrier that knock the option in or "
                     "out",
              .minimum = 1,
              .maximum = 100000});
  s.optional("consecutive_before", before,
             {.doc = "number of consecutive dates beyond the barrier just before the first of "
                     "`fixings`",
              .minimum = 0,
              .maximum = 100000});
  parameter_of(t, "consecutive") = {static_cast<double>(consecutive)};
  parameter_of(t, "run_before") = {static_cast<double>(before)};
}

std::string name(const TradeConfig& t) { return "Parisian " + run_barrier_name(t); }

}  // namespace
}  // namespace parisian_payoff

void register_parisian(Registry& registry) {
  static constexpr PayoffFunctions functions{
      .describe = parisian_payoff::describe,
      .validate = validate_run_barrier,
      .name = parisian_payoff::name,
      .set_up = set_up_run_barrier,
      .is_exercisable = true,
  };
  registry.extend(PayoffKind{.name = "parisian",
                             .doc = "barrier option that is knocked in or out by a number of "
                                    "consecutive dates beyond the barrier",
                             .launchers = script_launchers(),
                             .functions = &functions});
}

}  // namespace gsim::pricing
