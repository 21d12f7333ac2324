#include "src/modules/pricing/scripts/run_barrier.hpp"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "kernels/pricing/payoffs/script_operations.hpp"

namespace gsim::pricing {
namespace {

/// TradeConfig::numbers.
struct Number {
  enum : std::size_t {
    strike,
    barrier,
    rebate,
    is_up,
    is_knock_in,
    consecutive,
    is_monitored_at_maturity,
    count
  };
};

constexpr const char* run_barrier_text = R"(
parameter sign           # 1: call, -1: put
parameter strike
parameter side           # 1: up, -1: down
parameter level          # side times the barrier
parameter consecutive    # dates beyond the barrier that knock the option in or out
parameter run_before     # such dates before the first one
parameter touched_before
parameter knock_in
parameter rebate
state run = run_before
state touched = touched_before > 0

run = where(side * spot >= level, run + 1, 0)
if run >= consecutive { touched = true }

schedule exercise_dates {
  if knock_in > 0 {
    if touched { exercise max(sign * (spot - strike), 0) }
  } else {
    if not touched { exercise max(sign * (spot - strike), 0) }
  }
}
schedule maturity {
  let option = max(sign * (spot - strike), 0)
  if knock_in > 0 {
    pay where(touched, option, rebate)
  } else {
    pay where(touched, rebate, option)
  }
}
)";

bool is_name_of_run_barrier(std::string_view product) {
  return product == "window_barrier" || product == "parisian";
}

}  // namespace

void describe_run_barrier(Section& s, TradeInput& t) {
  static const auto script = parse_script(ScriptText(run_barrier_text, "barrier"), "barrier");
  static constexpr std::string_view kinds[] = {"up_and_out", "up_and_in", "down_and_out",
                                               "down_and_in"};
  use_script(t, script);
  describe_asset(s, t);
  describe_type(s, t);
  double strike = 0, barrier = 0, rebate = 0;
  s.required("strike", strike, {.doc = "strike price", .minimum = 0});
  int kind = 0;
  s.required_word("kind", kind, kinds,
                  {.doc = "side of the barrier, and whether the option is knocked in or out"});
  t.up = kind < 2;
  t.knock_in = kind % 2 == 1;
  s.required("barrier", barrier, {.doc = "barrier level", .minimum = 0, .exclusive_minimum = true});
  s.optional("rebate", rebate,
             {.doc = "rebate, paid at expiry if a knock-out is knocked out, or if a knock-in is "
                     "not knocked in"});
  bool touched = false;
  s.optional("touched", touched,
             {.doc = "whether the option was knocked in or out before the first of its dates or, "
                     "with continuous monitoring, before today"});
  describe_maturity(s, t);
  const double side = t.up ? 1 : -1;
  parameter_of(t, "sign") = {t.call ? 1.0 : -1.0};
  parameter_of(t, "strike") = {strike};
  parameter_of(t, "side") = {side};
  parameter_of(t, "level") = {side * barrier};
  parameter_of(t, "consecutive") = {1};
  parameter_of(t, "run_before") = {0};
  parameter_of(t, "touched_before") = {touched ? 1.0 : 0.0};
  parameter_of(t, "knock_in") = {t.knock_in ? 1.0 : 0.0};
  parameter_of(t, "rebate") = {rebate};
  t.rebate = rebate;
}

void describe_run_dates(Section& s, TradeInput& t) {
  static const ScheduleKeys dates("monitoring", ScheduleStart::not_a_date);
  describe_schedule(s, t, dates);
}

void validate_run_barrier(const Section& s, const MarketConfig& market, TradeInput& t) {
  validate_asset(s, market, t);
  if (t.fixings.empty() && t.fixing_count == 0)
    s.fail("", "no dates at which the barrier is monitored",
           "give `fixings`, or `fixing_count` and possibly fixing_start and fixing_end");
  const auto parameter = [&](const char* name) { return parameter_of(t, name).front(); };
  t.numbers.assign(Number::count, 0.0);
  t.numbers[Number::strike] = parameter("strike");
  t.numbers[Number::barrier] = std::fabs(parameter("level"));
  t.numbers[Number::rebate] = parameter("rebate");
  t.numbers[Number::is_up] = t.up ? 1 : 0;
  t.numbers[Number::is_knock_in] = t.knock_in ? 1 : 0;
  t.numbers[Number::consecutive] = parameter("consecutive");
  validate_script(s, market, t);
  const double last = t.script_input.terms->schedules[Script::fixings].back();
  t.numbers[Number::is_monitored_at_maturity] = std::fabs(last - t.maturity) <= same_date ? 1 : 0;
}

void set_up_run_barrier(const TradeConfig& t, const MarketView& view, const Observations& o,
                        TradeSetup& p) {
  set_up_script(t, view, o, p);
  p.numbers.insert(p.numbers.end(), t.numbers.begin(), t.numbers.end());
}

bool is_monitored_at_maturity(const TradeConfig& t) {
  return t.numbers[Number::is_monitored_at_maturity] != 0;
}

bool is_run_barrier(const TradeConfig& t) { return is_name_of_run_barrier(t.payoff->name); }

bool is_run_barrier(const TradeSetup& t) {
  return t.payoff == PayoffFormula::launched && t.kind != nullptr && !t.continuous &&
         is_name_of_run_barrier(t.kind->name);
}

RunBarrier run_barrier_of(const TradeSetup& t) {
  const double* const number = t.numbers.data() + t.numbers.size() - Number::count;
  const pricing_kernels::ScriptView<double> script(t.numbers.data(),
                                                   static_cast<std::int32_t>(t.records.size()));
  const double* const states = script.initial + script.states;  // the script's own are the last
  RunBarrier b;
  b.sign = t.sign;
  b.strike = number[Number::strike];
  b.barrier = number[Number::barrier];
  b.rebate = number[Number::rebate];
  b.up = number[Number::is_up] != 0;
  b.knock_in = number[Number::is_knock_in] != 0;
  b.consecutive = number[Number::consecutive];
  b.run = states[-2];
  b.touched = states[-1] != 0;
  b.is_monitored_at_maturity = number[Number::is_monitored_at_maturity] != 0;
  return b;
}

std::string run_barrier_name(const TradeConfig& t) {
  return fmt::format("{}-and-{} {}", t.up ? "up" : "down", t.knock_in ? "in" : "out",
                     t.call ? "call" : "put");
}

}  // namespace gsim::pricing
