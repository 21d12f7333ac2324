#pragma once
// The values of a trade at a date as functions of the state of the path, by regressions of what
// other paths are paid later.
//
// Near its maturity the polynomial of state_regression.hpp does not follow the kinks of a payoff.
// What it leaves of the payments is therefore fitted by piecewise linear functions of single
// variables, one after another: projection pursuit (Friedman and Stuetzle 1981, "Projection pursuit
// regression", Journal of the American Statistical Association 76, 817). The variable is one of
// those of the regression, what is recorded as the value at the date, the linear combination of
// variables that fits the payments best, or the fit so far. Of these, and of four numbers of knots,
// the one with the least generalised cross-validation is taken, in which a knot counts as two
// parameters (Friedman 1991, "Multivariate adaptive regression splines", Annals of Statistics 19,
// 1), if that is less than without it. Values are limited to the range of the payments, and what
// this changes in their mean is taken back: of an option they are not negative, and have the mean
// of the payments.
//
// Given the state at the date, the expected change of the control variate after it is 0, and hence
// that of its product with a function of the state. With the share of the change in the payments, a
// piecewise linear function of a polynomial fit of degree 3, the product is most of the noise of
// the payments; it is subtracted before the regressions.

#include <cstddef>
#include <vector>

#include "gsim/engine/module.hpp"
#include "src/modules/pricing/exercise/recorded_states.hpp"
#include "src/modules/pricing/exercise/state_regression.hpp"
#include "src/modules/pricing/exposures/path_recordings.hpp"
#include "src/modules/pricing/exposures/piecewise_linear.hpp"

namespace gsim::pricing {

class ValueRegression {
 public:
  /// The paths of `others` have the payments, those of `mine` the values that are wanted. All must
  /// outlive this object. `alone` has the communicator of one rank.
  ValueRegression(const ExerciseSetup& exercise, const RecordedStates& others,
                  const RecordedStates& mine, const Context& alone);

  /// What the paths of the regressions are paid after a date, discounted to today, and the limits
  /// of values.
  struct Payments {
    const std::vector<double>& payment;        ///< [paths]
    const std::vector<double>& later_control;  ///< [paths] the control at the payment; or empty
    double least = 0, most = 0;
  };
  /// The values at date d on the paths of `mine`, from the paths of `others` that take part; `mask`
  /// as in RegressionTarget. Where too few paths take part, 0 or the limit that is closest to it.
  std::vector<double> values(Index d, const Payments& payments, RegressionPaths paths,
                             const std::vector<double>& mask);

  /// Bytes that values() needs with `variables` variables.
  static double bytes(Index variables, const UnitSamples& samples);

 private:
  using Members = std::vector<std::size_t>;
  /// A number for each path of the regressions that takes part, and for each path of the unit.
  struct Numbers {
    std::vector<double> theirs, mine;
  };
  struct Variable {
    explicit Variable(Numbers numbers);
    Numbers numbers;
    PlacesBetweenKnots places;  ///< of `theirs`
  };
  struct Fit {
    Numbers value;
    std::vector<double> payment;  ///< of the paths that take part, without the noise of the control
    double parameters = 0;
    double least = 0, most = 0;  ///< limits of values
    void limit();
    std::vector<double> residuals() const;  ///< payments less values
    /// Shrinks values towards a limit, so that their mean on the paths that take part is `mean`.
    void set_mean(double mean);
  };
  /// A function of a variable to be added to a fit.
  struct Term {
    const Variable* variable = nullptr;  ///< null: no function improves the fit
    PiecewiseLinearSums::Fit function;
  };

  Members taking_part(Index d, RegressionPaths paths, const std::vector<double>& mask) const;
  /// The values of a polynomial on the paths of `states`.
  std::vector<double> polynomial(const RecordedStates& states, Index d,
                                 const DatePolicy& policy) const;
  /// The variables of piecewise linear functions, besides the fit so far.
  std::vector<Variable> variables(Index d, const Members& members,
                                  const std::vector<double>& payment) const;
  /// By what the control changes after date d on the paths that take part; empty without one.
  std::vector<double> change_of_control(Index d, const Payments& payments,
                                        const Members& members) const;
  /// Subtracts the noise that the control explains from `payment`, of all paths, by a first fit of
  /// their values.
  void subtract_noise(Index d, const DatePolicy& first, const Members& members,
                      const std::vector<double>& change, std::vector<double>& payment) const;
  static Term best_term(const std::vector<Variable>& variables, const Variable& so_far,
                        const Fit& fit);
  static void add_terms(const std::vector<Variable>& variables, Fit& fit);

  const ExerciseSetup& exercise_;
  const RecordedStates &others_, &mine_;
  const Context& alone_;
  StateRegression regression_;
};

}  // namespace gsim::pricing
