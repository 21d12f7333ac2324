// The payoffs of TradeProgram (simulation.hpp) in the form that kernels replay: constants folded,
// logarithms relative to S(0), a control as a second payoff on the same path.

#include <limits>

#include "gsim/core/error.hpp"
#include "gsim/math/elementary.hpp"
#include "src/modules/pricing/paths/path_tables.hpp"

namespace gsim::pricing {
namespace {

constexpr double lowest_double = -1e300, lowest_float = -1e30;

/// What the control of a trade is when it is written as a payoff of its own.
TradeProgram control_program(const TradeProgram& trade) {
  using Control = TradeProgram::Control;
  TradeProgram c = trade;
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
      if (trade.combination != Combination::single) c.combination = Combination::weighted_sum;
      break;
    default:
      break;
  }
  c.payoff = PayoffFormula::vanilla;
  const bool early = trade.control == Control::vanilla && trade.control_record >= 0;
  c.records = {early ? trade.control_record : trade.records.back()};
  c.fixing_weights.clear();
  c.average_strike = c.continuous = c.rebate_at_hit = false;
  return c;
}

/// The payoff's expectation given the path of the variance.
PayoffId conditional_id(const TradeProgram& t) {
  switch (t.payoff) {
    case PayoffFormula::vanilla:
      return PayoffId::conditional_vanilla;
    case PayoffFormula::cash_digital:
      return PayoffId::conditional_cash_digital;
    case PayoffFormula::asset_digital:
      return PayoffId::conditional_asset_digital;
    default:
      throw InputError("no conditional form of this payoff");
  }
}

PayoffId payoff_id(const TradeProgram& t) {
  switch (t.payoff) {
    case PayoffFormula::vanilla:
      return PayoffId::vanilla;
    case PayoffFormula::cash_digital:
      return PayoffId::cash_digital;
    case PayoffFormula::asset_digital:
      return PayoffId::asset_digital;
    case PayoffFormula::forward_start:
      return PayoffId::forward_start;
    case PayoffFormula::cliquet:
      return PayoffId::cliquet;
    case PayoffFormula::asian_arithmetic:
      return PayoffId::asian_arithmetic;
    case PayoffFormula::asian_geometric:
      return PayoffId::asian_geometric;
    case PayoffFormula::barrier:
      return t.rebate_at_hit ? PayoffId::barrier_rebate_at_hit : PayoffId::barrier;
    case PayoffFormula::lookback_fixed:
      return PayoffId::lookback_fixed;
    case PayoffFormula::lookback_floating:
      return PayoffId::lookback_floating;
    case PayoffFormula::variance_swap:
      return PayoffId::variance_swap;
    case PayoffFormula::plugged:
      return PayoffId::plugged;
  }
  throw InputError("unknown payoff kind");
}

/// A trade being packed, with what its formulas share.
template <class T>
class ProgramPacker {
 public:
  ProgramPacker(TablePacker& packer, const Simulation& simulation, const TradeProgram& trade,
                double log_scale = 0)
      : packer_(packer), simulation_(simulation), trade_(trade), log_scale_(log_scale) {
    check();
    single_ = trade.combination == Combination::single && trade.weights[0] == 1.0;
  }

  Program<T> pack() {
    Program<T> p{};
    p.payoff = simulation_.conditional ? conditional_id(trade_) : payoff_id(trade_);
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
                  "fixing_weights has another length than records", "give one weight a fixing");
    GSIM_VALIDATE(!t.rebate_at_hit || t.discount_at_hit.size() == t.records.size(),
                  "discount_at_hit has another length than records", "give one factor a record");
    GSIM_VALIDATE(!t.continuous || t.combination == Combination::single,
                  "continuous monitoring of several assets", "use discrete monitoring");
  }

  void pack_underlying(Program<T>& p) {
    using Id = Combine;
    switch (trade_.combination) {
      case Combination::single:
        p.combine = single_ ? Id::single : Id::weighted_sum;
        break;
      case Combination::weighted_sum:
        p.combine = Id::weighted_sum;
        break;
      case Combination::best_of:
        p.combine = Id::best_of;
        break;
      case Combination::worst_of:
        p.combine = Id::worst_of;
        break;
      case Combination::geometric:
        p.combine = Id::geometric;
        break;
    }
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

  /// Logarithms that the kernel adds up are relative to S(0) for a single asset.
  double log_base() const { return single_ ? log_spot(0) : 0.0; }

  void pack_past(Program<T>& p) const {
    p.past_sum = round(trade_.past_sum);
    p.has_past_last = trade_.past_last > 0;
    if (p.has_past_last) {
      p.past_last = round(trade_.past_last);
      p.past_last_log = round(log<Strict>(trade_.past_last) - log_base());
    }
  }

  void pack_average(Program<T>& p) {
    const bool geometric = trade_.payoff == PayoffFormula::asian_geometric;
    double scale = 1, future = 0;
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

  void pack_extremes(Program<T>& p) {
    const TradeProgram& t = trade_;
    const double lowest = sizeof(T) == 8 ? lowest_double : lowest_float;
    const bool barrier = t.payoff == PayoffFormula::barrier;
    const bool maximum =
        barrier ? t.up : (t.sign > 0) == (t.payoff == PayoffFormula::lookback_fixed);
    const double side = maximum ? 1 : -1;
    const double past = maximum ? t.past_maximum : t.past_minimum;
    p.orientation = round(side);
    if (!barrier) {
      p.past_extreme = round(t.past_count > 0 ? side * past : lowest);
      return;
    }
    const double level = t.continuous ? log<Strict>(t.barrier) - log_spot(0) : t.barrier;
    const bool touched = t.hit_already || (t.past_count > 0 && side * past >= side * t.barrier);
    p.level = round(side * level);
    p.past_extreme = touched ? p.level : round(lowest);
    p.rebate = round(t.rebate);
    if (t.rebate_at_hit) {
      std::vector<double> rebates;
      for (const double d : t.discount_at_hit) rebates.push_back(t.rebate * (d / t.discount));
      p.rebate_at_hit = packer_.template add_rounded<T>(rebates);
    }
  }

 public:
 private:
  TablePacker& packer_;
  const Simulation& simulation_;
  const TradeProgram& trade_;
  double log_scale_;  ///< added to the logarithm of a geometric underlying
  bool single_;
};

}  // namespace

template <class T>
PluggedTrade<T> pack_plugged(TablePacker& packer, const TradeProgram& trade,
                             Arithmetic arithmetic) {
  PluggedTrade<T> plugged{};
  const PayoffLaunchers& by = trade.kind->launchers;
  const bool strict = arithmetic == Arithmetic::strict;
  if constexpr (sizeof(T) == 8)
    plugged.sample = strict ? by.f64_strict : by.f64_fast;
  else
    plugged.sample = strict ? by.f32_strict : by.f32_fast;
  PayoffTerms<T>& terms = plugged.job.terms;
  terms.number = packer.add_rounded<T>(trade.numbers);
  terms.asset = packer.add(std::vector<std::int32_t>(trade.assets.begin(), trade.assets.end()));
  terms.growth = packer.add_rounded<T>(trade.growth);
  terms.assets = static_cast<std::int32_t>(trade.assets.size());
  terms.fixings = static_cast<std::int32_t>(trade.records.size());
  plugged.job.record =
      packer.add(std::vector<std::int32_t>(trade.records.begin(), trade.records.end()));
  plugged.job.discount = trade.discount;
  plugged.job.has_logs = trade.kind->reads_logs;
  return plugged;
}

template PluggedTrade<double> pack_plugged(TablePacker&, const TradeProgram&, Arithmetic);
template PluggedTrade<float> pack_plugged(TablePacker&, const TradeProgram&, Arithmetic);

template <class T>
TradeTable<T> pack_trade(TablePacker& packer, const Simulation& simulation,
                         const TradeProgram& trade) {
  TradeTable<T> table{};
  table.payoff = ProgramPacker<T>(packer, simulation, trade).pack();
  table.has_control = trade.control != TradeProgram::Control::none;
  if (table.has_control) {
    const TradeProgram program = control_program(trade);
    table.control = ProgramPacker<T>(packer, simulation, program, trade.control_log_scale).pack();
    if (trade.control == TradeProgram::Control::spot) table.control.payoff = PayoffId::forward;
  }
  return table;
}

template TradeTable<double> pack_trade(TablePacker&, const Simulation&, const TradeProgram&);
template TradeTable<float> pack_trade(TablePacker&, const Simulation&, const TradeProgram&);

}  // namespace gsim::pricing
