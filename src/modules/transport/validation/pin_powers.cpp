// Functions of validation formulas that compare two maps of pin powers, as NEA/NSC/DOC(2003)16, the
// C5G7 MOX benchmark, defines AVG, RMS and MRE.

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/engine/validation_function.hpp"

namespace gsim::transport {
namespace {

using Column = std::vector<double>;
using Columns = ValidationFunction::Columns;
using Numbers = ValidationFunction::Numbers;

/// Two maps of pin powers, each scaled to a mean of 1 over the pins with fuel, which are those
/// where the reference is not 0. Columns: powers, their standard errors, reference powers, and
/// their standard errors.
class PinPowers {
 public:
  explicit PinPowers(const ValidationFunction::Columns& c) {
    for (const Column& other : c)
      if (other.size() != c[0].size())
        throw InputError(
            fmt::format("columns have powers of {} and {} pins", c[0].size(), other.size()));
    double sum = 0, reference_sum = 0;
    for (std::size_t i = 0; i < c[0].size(); ++i) {
      if (!(c[2][i] > 0)) continue;
      sum += c[0][i];
      reference_sum += c[2][i];
      ++pins_;
    }
    for (std::size_t i = 0; i < c[0].size(); ++i) {
      if (!(c[2][i] > 0)) continue;
      power_.push_back(c[2][i] * pins_ / reference_sum);
      difference_.push_back(c[0][i] * reference_sum / (sum * c[2][i]) - 1);
      const double sampled = c[0][i] > 0 ? c[1][i] / c[0][i] : 1.0;  // unknown: 100 %
      const double reference = c[3][i] / c[2][i];
      error_.push_back(std::sqrt(sampled * sampled + reference * reference));
    }
  }

  /// Mean of absolute relative differences in percent. The standard error is the value that is
  /// expected where statistical errors are the only difference (a normal number differs from its
  /// mean by sqrt(2 / pi) standard deviations on average).
  Quantity average() const { return weighted(Column(power_.size(), 1.0)); }
  Quantity weighted_by_power() const { return weighted(power_); }
  Quantity rms() const {
    return {.value = 100 * std::sqrt(mean_square(difference_)),
            .standard_error = 100 * std::sqrt(mean_square(error_))};
  }
  double chi_square_by_pin() const {
    Column deviations = difference_;
    for (std::size_t i = 0; i < deviations.size(); ++i) deviations[i] /= error_[i];
    return mean_square(deviations);
  }

 private:
  static double mean_square(const Column& c) {
    return std::inner_product(c.begin(), c.end(), c.begin(), 0.0) / static_cast<double>(c.size());
  }
  Quantity weighted(const Column& weights) const {
    constexpr double mean_of_absolute_normal = 0.7978845608028654;  // sqrt(2 / pi)
    Quantity q;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      q.value += 100 * weights[i] * std::fabs(difference_[i]) / pins_;
      q.standard_error += 100 * weights[i] * mean_of_absolute_normal * error_[i] / pins_;
    }
    return q;
  }

  double pins_ = 0;
  Column power_, difference_, error_;
};

void add(Registry& registry, const char* name, const char* doc,
         Quantity (*evaluate)(const Columns&, const Numbers&)) {
  registry.extend(ValidationFunction{
      .module = "transport", .name = name, .doc = doc, .columns = 4, .evaluate = evaluate});
}

}  // namespace

void register_pin_powers(Registry& registry);
void register_pin_powers(Registry& registry) {
  add(registry, "pins_avg", "average of relative differences of pin powers in percent",
      [](const Columns& c, const Numbers&) { return PinPowers(c).average(); });
  add(registry, "pins_rms", "root mean square of relative differences of pin powers in percent",
      [](const Columns& c, const Numbers&) { return PinPowers(c).rms(); });
  add(registry, "pins_mre", "power-weighted mean of relative differences of pin powers in percent",
      [](const Columns& c, const Numbers&) { return PinPowers(c).weighted_by_power(); });
  add(registry, "pins_chi_square", "mean of squared differences over squared errors",
      [](const Columns& c, const Numbers&) {
        return Quantity{.value = PinPowers(c).chi_square_by_pin(),
                        .samples = static_cast<Index>(c[0].size())};
      });
}

}  // namespace gsim::transport
