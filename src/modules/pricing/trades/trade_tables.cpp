// Converts the payoffs of TradeSetup (trade_setup.hpp) to the tables that kernels read: constants
// are folded, logarithms are relative to S(0), and a control variate is a second payoff on the same
// path.

#include <limits>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"
#include "kernels/pricing/payoffs/dispatch.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
using namespace pricing_kernels;

TradeSetup control_payoff(const TradeSetup& trade) {
  using Control = TradeSetup::Control;
  TradeSetup c = trade;
  c.control = Control::none;
  switch (trade.control) {
    case Control::asian_geometric:
      c.payoff = PayoffFormula::asian_geometric;
      c.past_sum = trade.control_past_sum;
      return c;
    case Control::clipped_returns:
      c.global_floor = -std::numeric_limits<double>::infinity();
      c.global_cap = std::numeric_limits<double>::infinity();
      return c;
    case Control::vanilla:
      c.sign = trade.control_sign;
      c.strike = trade.control_strike;
      if (!trade.control_weights.empty()) c.weights = trade.control_weights;
      break;
    case Control::basket_geometric:
      c.combination = Combination::geometric;
      c.weights = trade.control_weights;
      break;
    case Control::spot:
      c.strike = 0;
      if (trade.combination != Combination::single) c.combination = Combination::weighted_sum;
      break;
    default:
      break;
  }
  c.payoff = trade.control == Control::spot ? PayoffFormula::forward : PayoffFormula::vanilla;
  const bool has_own_date = trade.control == Control::vanilla && trade.control_record >= 0;
  c.records = {has_own_date ? trade.control_record : trade.records.back()};
  c.fixing_weights.clear();
  c.numbers.clear();
  c.average_strike = c.continuous = c.rebate_at_hit = false;
  return c;
}

namespace {

// In place of a past extreme that does not exist: less than every +-spot and +-log-spot.
constexpr double lowest_double = -1e300, lowest_float = -1e30;

/// Converts one payoff to its PayoffView.
template <class T>
class PayoffPacker {
 public:
  PayoffPacker(TablePacker& packer, const Simulation& simulation, const TradeSetup& trade,
               double log_scale = 0)
      : packer_(packer), simulation_(simulation), trade_(trade), log_scale_(log_scale) {
    check();
    single_ = trade.combination == Combination::single && trade.weights[0] == 1.0;
  }

  PayoffView<T> pack() {
    PayoffView<T> p{};
    p.formula = trade_.payoff;
    p.conditional = simulation_.conditional && !is_linear(trade_.payoff);
    p.sign = round(trade_.sign);
    p.strike = round(trade_.strike);
    p.cash = round(trade_.cash);
    p.discount = trade_.discount;
    p.average_strike = trade_.average_strike;
    p.continuous = trade_.continuous;
    p.knock_in = trade_.knock_in;
    p.spot = round(exp<Strict>(log_spot(0)));
    p.annualisation = round(trade_.annualisation);
    p.local_floor = round(trade_.local_floor);
    p.local_cap = round(trade_.local_cap);
    p.global_floor = round(trade_.global_floor);
    p.global_cap = round(trade_.global_cap);
    pack_underlying(p);
    if (trade_.payoff != PayoffFormula::launched)
      p.number = packer_.template add_rounded<T>(trade_.numbers);
    pack_past(p);
    pack_average(p);
    pack_extremes(p);
    return p;
  }

 private:
  static T round(double x) { return static_cast<T>(x); }

  double log_spot(std::size_t i) const {
    return simulation_.assets[static_cast<std::size_t>(trade_.assets[i])].log_spot;
  }

  void check() const {
    const auto& t = trade_;
    GSIM_VALIDATE(!t.assets.empty() && t.weights.size() == t.assets.size() && !t.records.empty(),
                  "a trade without assets, weights or dates", "give at least one of each");
    GSIM_VALIDATE(t.fixing_weights.empty() || t.fixing_weights.size() == t.records.size(),
                  "fixing_weights has another length than records", "give one weight per fixing");
    GSIM_VALIDATE(!t.rebate_at_hit || t.discount_at_hit.size() == t.records.size(),
                  "discount_at_hit has another length than records", "give one factor per record");
    GSIM_VALIDATE(!t.continuous || t.combination == Combination::single,
                  "continuous monitoring of several assets", "use discrete monitoring");
    GSIM_VALIDATE(!simulation_.conditional || is_linear(t.payoff) || has_conditional_form(t.payoff),
                  "conditional sampling of a payoff whose expectation has no closed form",
                  "leave pricing.conditional out");
  }

  void pack_underlying(PayoffView<T>& p) {
    const bool is_single = trade_.combination == Combination::single;
    p.combination = is_single && !single_ ? Combination::weighted_sum : trade_.combination;
    p.assets = static_cast<std::int32_t>(trade_.assets.size());
    p.fixings = static_cast<std::int32_t>(trade_.records.size());
    p.asset = packer_.add(std::vector<std::int32_t>(trade_.assets.begin(), trade_.assets.end()));
    p.record = packer_.add(std::vector<std::int32_t>(trade_.records.begin(), trade_.records.end()));
    p.weight = packer_.template add_rounded<T>(trade_.weights);
    if (trade_.combination == Combination::geometric) {
      double scale = log_scale_;
      for (std::size_t a = 0; a < trade_.assets.size(); ++a)
        scale += trade_.weights[a] * log_spot(a);
      p.log_scale = round(scale);
    }
  }

  /// Reference of the logarithms that kernels sum: for a single asset they are relative to S(0).
  double log_base() const { return single_ ? log_spot(0) : 0.0; }

  void pack_past(PayoffView<T>& p) const {
    p.past_sum = round(trade_.past_sum);
    p.has_past_last = trade_.past_last > 0;
    if (p.has_past_last) {
      p.past_last = round(trade_.past_last);
      p.past_last_log = round(log<Strict>(trade_.past_last) - log_base());
    }
  }

  void pack_average(PayoffView<T>& p) {
    const bool geometric = reads_logs(trade_.payoff);
    double scale = 1, future = 0;  // future: the sum of the weights of the fixings to come
    if (trade_.fixing_weights.empty()) {
      const auto n = static_cast<double>(trade_.records.size());
      scale = 1 / (static_cast<double>(trade_.past_count) + n);
      future = n * scale;
    } else {
      for (const double w : trade_.fixing_weights) future += w;
      p.fixing_weight = packer_.template add_rounded<T>(trade_.fixing_weights);
    }
    p.inverse_count = round(scale);
    p.past_average = round(trade_.past_sum * scale + (geometric ? log_base() * future : 0.0));
  }

  void pack_extremes(PayoffView<T>& p) {
    const TradeSetup& t = trade_;
    const double lowest = sizeof(T) == 8 ? lowest_double : lowest_float;
    const bool maximum = t.monitored == Extreme::maximum;
    const double orientation = maximum ? 1 : -1;
    const double past = maximum ? t.past_maximum : t.past_minimum;
    p.orientation = round(orientation);
    if (t.barrier <= 0) {
      p.past_extreme = round(t.past_count > 0 ? orientation * past : lowest);
      return;
    }
    const double level = t.continuous ? log<Strict>(t.barrier) - log_spot(0) : t.barrier;
    const bool touched =
        t.hit_already || (t.past_count > 0 && orientation * past >= orientation * t.barrier);
    p.level = round(orientation * level);
    p.past_extreme = touched ? p.level : round(lowest);
    p.rebate = round(t.rebate);
    if (t.rebate_at_hit) {
      std::vector<double> rebates;
      for (const double d : t.discount_at_hit) rebates.push_back(t.rebate * (d / t.discount));
      p.rebate_at_hit = packer_.template add_rounded<T>(rebates);
    }
  }

  TablePacker& packer_;
  const Simulation& simulation_;
  const TradeSetup& trade_;
  double log_scale_;  ///< added to the logarithm of a geometric underlying
  bool single_;       ///< one asset, with weight 1
};

}  // namespace

template <class T>
LaunchedTrade<T> pack_launched(TablePacker& packer, const TradeSetup& trade,
                               Arithmetic arithmetic) {
  LaunchedTrade<T> launched{};
  const PayoffLaunchers& launchers = trade.kind->launchers;
  const bool strict = arithmetic == Arithmetic::strict;
  if constexpr (sizeof(T) == 8)
    launched.sample = strict ? launchers.f64_strict : launchers.f64_fast;
  else
    launched.sample = strict ? launchers.f32_strict : launchers.f32_fast;
  PayoffTerms<T>& terms = launched.job.terms;
  terms.number = packer.add_rounded<T>(trade.numbers);
  terms.asset = packer.add(std::vector<std::int32_t>(trade.assets.begin(), trade.assets.end()));
  terms.growth = packer.add_rounded<T>(trade.growth);
  terms.assets = static_cast<std::int32_t>(trade.assets.size());
  terms.fixings = static_cast<std::int32_t>(trade.records.size());
  launched.job.record =
      packer.add(std::vector<std::int32_t>(trade.records.begin(), trade.records.end()));
  launched.job.discount = trade.discount;
  launched.job.has_logs = trade.kind->reads_logs;
  return launched;
}

template LaunchedTrade<double> pack_launched(TablePacker&, const TradeSetup&, Arithmetic);
template LaunchedTrade<float> pack_launched(TablePacker&, const TradeSetup&, Arithmetic);

template <class T>
TradeView<T> pack_trade(TablePacker& packer, const Simulation& simulation,
                        const TradeSetup& trade) {
  TradeView<T> table{};
  table.payoff = PayoffPacker<T>(packer, simulation, trade).pack();
  table.has_control = trade.control != TradeSetup::Control::none;
  if (table.has_control) {
    const TradeSetup setup = control_payoff(trade);
    table.control = PayoffPacker<T>(packer, simulation, setup, trade.control_log_scale).pack();
  }
  return table;
}

template TradeView<double> pack_trade(TablePacker&, const Simulation&, const TradeSetup&);
template TradeView<float> pack_trade(TablePacker&, const Simulation&, const TradeSetup&);

}  // namespace gsim::pricing
