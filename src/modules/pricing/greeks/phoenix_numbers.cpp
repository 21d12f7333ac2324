#include "src/modules/pricing/greeks/phoenix_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/pricing/greeks/adjoint/phoenix_gradient.hpp"
#include "src/modules/pricing/closed_forms/scalar_math.hpp"
#include "src/modules/pricing/market/correlation.hpp"

namespace gsim::pricing {
namespace {

using Layout = pricing_kernels::PhoenixGradient<Strict, double, double>;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t first_scale = 5;  // of the terms

/// The means and the inverse covariance matrix of the changes of the log-spots of a trade's assets
/// between two of its records.
struct AssetsInterval {
  std::vector<double> mean, precision;
};

/// The inverse of a covariance matrix; empty if it has none.
std::vector<double> inverse(const std::vector<double>& covariance, std::size_t n) {
  std::vector<double> deviation(n), matrix(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    deviation[i] = std::sqrt(covariance[i * n + i]);
    if (!(deviation[i] > 0)) return {};
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      matrix[i * n + j] = covariance[i * n + j] / (deviation[i] * deviation[j]);
  const std::vector<double> l = semidefinite_cholesky(matrix, static_cast<Index>(n));
  constexpr double smallest_pivot = 1e-5;  // of a matrix that can be inverted
  for (std::size_t i = 0; i < n; ++i)
    if (!(l[i * n + i] > smallest_pivot)) return {};
  std::vector<double> of_l(n * n);  // the inverse of L
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = j; i < n; ++i) {
      double sum = i == j ? 1 : 0;
      for (std::size_t k = j; k < i; ++k) sum -= l[i * n + k] * of_l[k * n + j];
      of_l[i * n + j] = sum / l[i * n + i];
    }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = std::max(i, j); k < n; ++k) sum += of_l[k * n + i] * of_l[k * n + j];
      matrix[i * n + j] = sum / (deviation[i] * deviation[j]);
    }
  return matrix;
}

/// Collects the intervals of a trade from the steps of the grid.
class AssetsIntervalReader {
 public:
  AssetsIntervalReader(const Simulation& base, const TradeSetup& trade)
      : base_(base), trade_(trade), assets_(trade.assets.size()), correlation_(assets_ * assets_) {
    const std::size_t all = base.assets.size();
    for (std::size_t i = 0; i < assets_; ++i)
      for (std::size_t j = 0; j < assets_; ++j)
        for (std::size_t f = 0; f < all; ++f)
          correlation_[i * assets_ + j] +=
              base.factor[at(i) * all + f] * base.factor[at(j) * all + f];
  }

  /// One for each record of the trade; nothing where some covariance matrix has no inverse.
  std::vector<AssetsInterval> read() {
    std::vector<AssetsInterval> list;
    for (std::size_t k = 0; k < base_.grid.times.size() && list.size() < trade_.records.size();
         ++k) {
      if (mean_.empty()) begin();
      add_step(k);
      if (base_.grid.record_of_step[k] != trade_.records[list.size()]) continue;
      list.push_back({mean_, inverse(covariance_, assets_)});
      if (list.back().precision.empty()) return {};
      mean_.clear();
    }
    return list;
  }

 private:
  std::size_t at(std::size_t i) const { return static_cast<std::size_t>(trade_.assets[i]); }
  void begin() {
    mean_.assign(assets_, 0.0);
    covariance_.assign(assets_ * assets_, 0.0);
  }
  void add_step(std::size_t k) {
    const auto variance = [&](std::size_t i) { return base_.assets[at(i)].variance_step[k]; };
    for (std::size_t i = 0; i < assets_; ++i) {
      mean_[i] += base_.assets[at(i)].drift_step[k] - 0.5 * variance(i);
      for (std::size_t j = 0; j < assets_; ++j)
        covariance_[i * assets_ + j] +=
            i == j ? variance(i)
                   : correlation_[i * assets_ + j] * std::sqrt(variance(i) * variance(j));
    }
  }

  const Simulation& base_;
  const TradeSetup& trade_;
  std::size_t assets_;
  std::vector<double> correlation_, mean_, covariance_;
};

/// The numbers of one note.
class NumberBuilder {
 public:
  NumberBuilder(const Simulation& base, const TradeSetup& trade, const std::vector<double>& terms,
                const std::vector<double>& growth)
      : base_(base),
        trade_(trade),
        terms_(terms),
        growth_(growth),
        assets_(trade.assets.size()),
        intervals_(AssetsIntervalReader(base, trade).read()) {}

  std::vector<double> build(double due) {
    if (intervals_.empty()) return {};
    numbers_ = {static_cast<double>(assets_), memory(), due, notional(), knock_in(), gearing()};
    for (std::size_t a = 0; a < assets_; ++a) numbers_.push_back(terms_[first_scale + a]);
    for (std::size_t a = 0; a < assets_; ++a)
      numbers_.push_back(base_.assets[static_cast<std::size_t>(trade_.assets[a])].log_spot +
                         logarithm(terms_[first_scale + a]));
    for (std::size_t i = 0; i < growth_.size(); ++i) {
      add_payments(i);
      for (std::size_t a = 0; a < assets_; ++a) add_density(i, a);
    }
    return std::move(numbers_);
  }

 private:
  double notional() const { return terms_[0]; }
  double memory() const { return terms_[2]; }
  double knock_in() const { return terms_[3]; }
  double gearing() const { return terms_[4]; }
  double coupon(std::size_t i) const { return notional() * terms_[1] * growth_[i]; }
  double call(std::size_t i) const { return notional() * growth_[i]; }
  /// The levels of the coupon and of the call at a fixing.
  const double* levels(std::size_t i) const {
    return terms_.data() + terms_.size() - 2 * (growth_.size() - i);
  }

  /// Factors of 1, d, A and d B.
  struct Value {
    double factor[4];
  };
  /// The value of the payments from fixing i on, with the worst performance just above or below
  /// `level`.
  Value value(std::size_t i, double level, bool is_above) const {
    const auto reaches = [&](double other) {
      return level > other || (level == other && is_above);
    };
    const bool has_coupon = reaches(levels(i)[0]), is_called = reaches(levels(i)[1]);
    Value v{};
    if (has_coupon) v.factor[1] = coupon(i);
    if (is_called)
      v.factor[0] = call(i);
    else if (i + 1 == growth_.size())
      v.factor[0] = notional() * (reaches(knock_in()) ? 1 : std::fmin(level * gearing(), 1.0));
    else {
      v.factor[2] = 1;
      if (!has_coupon) v.factor[3] = memory();
    }
    return v;
  }

  void add_payments(std::size_t i) {
    constexpr double rounding = 1e-14;  // of the growth until the payment date
    const double* const of_date = levels(i);
    numbers_.insert(numbers_.end(), {coupon(i), call(i), of_date[0], of_date[1], 0});
    double& count = numbers_.back();
    std::vector<double> found, jumps;
    const bool is_last = i + 1 == growth_.size();
    for (const double level : {of_date[0], of_date[1], is_last ? knock_in() : infinite}) {
      if (!(level > 0 && level < infinite) ||
          std::find(found.begin(), found.end(), level) != found.end())
        continue;
      const Value above = value(i, level, true), below = value(i, level, false);
      double jump[4], largest = 0;
      for (int k = 0; k < 4; ++k) {
        jump[k] = above.factor[k] - below.factor[k];
        largest = std::fmax(largest, std::fabs(jump[k]));
      }
      if (largest <= rounding * std::fabs(notional())) continue;  // as of a call at maturity
      found.push_back(level);
      jumps.insert(jumps.end(), {level, logarithm(level)});
      jumps.insert(jumps.end(), jump, jump + 4);
    }
    count = static_cast<double>(found.size());
    jumps.resize(std::size_t{Layout::jump_numbers} * Layout::jumps);
    numbers_.insert(numbers_.end(), jumps.begin(), jumps.end());
  }

  /// With C and C' the covariances of the intervals before and after fixing i, and m and m' their
  /// means, the log-spots given those at the fixings before and after have the inverse covariance
  /// matrix Q = C^-1 + C'^-1, and one of them given the others, too, the variance 1 / Q_aa.
  void add_density(std::size_t i, std::size_t a) {
    const AssetsInterval& before = intervals_[i];
    const AssetsInterval* const after = i + 1 < intervals_.size() ? &intervals_[i + 1] : nullptr;
    const auto row = [&](const AssetsInterval* interval, std::size_t b) {
      return interval == nullptr ? 0 : interval->precision[a * assets_ + b];
    };
    const double q = row(&before, a) + row(after, a);
    double shift = 0;
    for (std::size_t b = 0; b < assets_; ++b) {
      shift += row(&before, b) * before.mean[b];
      if (after != nullptr) shift -= row(after, b) * after->mean[b];
    }
    numbers_.insert(numbers_.end(), {shift / q, std::sqrt(q)});
    for (const AssetsInterval* const interval : {&before, after})
      for (std::size_t b = 0; b < assets_; ++b) numbers_.push_back(row(interval, b) / q);
  }

  const Simulation& base_;
  const TradeSetup& trade_;
  const std::vector<double>& terms_;
  const std::vector<double>& growth_;
  std::size_t assets_;
  std::vector<AssetsInterval> intervals_;
  std::vector<double> numbers_;
};

}  // namespace

std::vector<double> phoenix_numbers(const Simulation& base, const TradeSetup& trade,
                                    const std::vector<double>& terms,
                                    const std::vector<double>& growth, double due) {
  return NumberBuilder(base, trade, terms, growth).build(due);
}

}  // namespace gsim::pricing
