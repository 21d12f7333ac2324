// The conformance check of payoffs detects prices that depend on precision, sampling or arithmetic.

#include "src/modules/pricing/conformance/payoff_check.hpp"

#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

using namespace gsim;

namespace {

/// The setting with which the price of OneTradeModule is wrong, not finite, or an exception.
enum class Fault { none, in_float, antithetic, nan, throws_for_sobol, in_fast };

/// A module with one trade, whose price has a standard error of 0.01.
class OneTradeModule : public Module {
 public:
  explicit OneTradeModule(Fault fault) : fault_(fault) {}
  void describe(Section& top) override {
    top.optional_table(
        "pricing",
        [this](Section& s) {
          s.optional("precision", precision_, {});
          s.optional("sampling", sampling_, {});
          s.optional("antithetic", antithetic_, {});
          s.optional("replicates", replicates_, {});
        },
        "");
  }
  WorkPlan plan(const Context& context) override {
    if (fault_ == Fault::throws_for_sobol && sampling_ == "sobol")
      throw std::out_of_range("no such point");
    if (precision_ == "float" && fault_ == Fault::in_float) price_ = 10.1;
    if (precision_ == "float" && fault_ == Fault::nan)
      price_ = std::numeric_limits<double>::quiet_NaN();
    if (antithetic_ && fault_ == Fault::antithetic) price_ = 9.9;
    if (context.arithmetic == Arithmetic::fast && fault_ == Fault::in_fast) price_ = 10.1;
    WorkPlan plan;
    plan.unit_name = "block";
    plan.total_units = 1;
    return plan;
  }
  void prepare() override {}
  Index next_evaluation(Index) const override { return 1; }
  void advance(Index, Index) override {}
  Evaluation evaluate(Index) override { return {}; }
  void update_estimates() override {}
  std::vector<Estimate> estimates() const override {
    return {{.name = "note", .mean = price_, .standard_error = 0.01, .count = 100}};
  }
  void save(DatasetWriter&) const override {}
  void restore(DatasetReader&) override {}
  void write_results(DatasetWriter&) const override {}
  ReportTable report() const override { return {}; }
  std::uint64_t digest() const override { return 0; }

 private:
  Fault fault_;
  double price_ = 10;
  std::string precision_ = "double", sampling_ = "random";
  bool antithetic_ = false;
  Index replicates_ = 1;
};

/// The problem of each finding, by the name of its comparison.
std::map<std::string, std::string> problems(Fault fault) {
  Registry registry;
  registry.add(
      {"pricing", "prices one trade", [=] { return std::make_unique<OneTradeModule>(fault); }});
  const Registry::Extension part{"payoff", "pricing", "note", "", ""};
  std::map<std::string, std::string> found;
  pricing::check_payoff_prices({part, registry, "module = \"pricing\"\n", "pricing.toml"},
                               [&](const Finding& f) { found[f.what] = f.problem; });
  return found;
}

}  // namespace

TEST_CASE("payoff check: a price that depends on precision, sampling or arithmetic is found") {
  for (const auto& [what, problem] : problems(Fault::none)) CHECK(problem == "");
  for (const auto& [fault, what, problem] :
       {std::tuple{Fault::in_float, "same prices in float",
                   "`note` is 10.1 +- 0.01, and 10 +- 0.01 in the example"},
        {Fault::antithetic, "same prices with antithetic paths",
         "`note` is 9.9 +- 0.01, and 10 +- 0.01 in the example"},
        {Fault::in_fast, "same prices in fast arithmetic",
         "`note` is 10.1 +- 0.01, and 10 +- 0.01 in the example"},
        {Fault::nan, "same prices in float",
         "`note` is nan +- 0.01, and 10 +- 0.01 in the example"},
        {Fault::throws_for_sobol, "same prices with Sobol points", "no such point"}}) {
    CAPTURE(what);
    const auto found = problems(fault);
    CHECK(found.size() == 5);
    for (const auto& [comparison, reported] : found)
      CHECK(reported == (comparison == what ? problem : ""));
  }
}
