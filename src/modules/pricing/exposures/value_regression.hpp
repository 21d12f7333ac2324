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
// 1), if that is less than without it. Far from a maturity there is most often nothing left to fit:
// the variable is chosen by the first 4096 paths, and no function is fitted where these show that
// none would be taken. Values are limited to the range of the payments, and what this changes in
// their mean is taken back: of an option they are not negative, and have the mean of the payments.
//
// Given the state at the date, the expected change of the control variate after it is 0, and hence
// that of its product with a function of the state. With the share of the change in the payments, a
// piecewise linear function of the best linear combination of variables, the product is most of the
// noise of the payments; it is subtracted before the regressions.

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
  /// The paths that take part among the first `paths` ones of the regressions.
  struct Sample {
    Index paths = 0;
    Members members;
    bool has_all() const { return static_cast<Index>(members.size()) == paths; }
  };
  /// A number for each path of the regressions that takes part, and for each path of the unit.
  struct Numbers {
    std::vector<double> theirs, mine;
  };
  struct Variable {
    explicit Variable(Numbers numbers);  ///< with knots of its own
    Numbers numbers;
    PlacesBetweenKnots places;  ///< of `theirs`
  };
  /// On few paths: the variables of the regression and, unless there is only one, their linear
  /// combination that fits payments best and, of trades on several spots, the value that is
  /// recorded at the date.
  struct State {
    std::vector<Variable> variables;
    std::vector<double> coefficients;  ///< of the combination
    std::size_t best = 0;              ///< the combination or the only variable
    bool is_single = false;            ///< whether there is only one variable
  };
  struct Fit {
    Numbers value;
    std::vector<double> payment;  ///< of the paths that take part, without the noise of the control
    double parameters = 0;
    double least = 0, most = 0;  ///< limits of values
    double mean = 0;             ///< of the values of the polynomial on the paths that take part
    void limit();
    /// Payments less values of the `first` paths.
    std::vector<double> residuals(std::size_t first) const;
    /// Shrinks values towards a limit, so that they have the mean of the polynomial.
    void set_mean();
    /// By which part of itself the mean of the values differs from that of the polynomial.
    double change_of_mean() const;
  };
  /// A regression at a date.
  struct Regression {
    Index date;
    const Sample &all, &few;
    const Payments& payments;
    /// Of all recorded paths: payments without the noise of the control, and by what that changes
    /// after the date; empty without one.
    std::vector<double> payment, change;
    State state;
    DatePolicy policy;
  };

  Sample taking_part(Index d, RegressionPaths paths, const std::vector<double>& mask) const;
  /// The first of them: few, but enough to see what all of them would show.
  static Sample few_of(const Sample& all);
  static std::vector<double> of_members(const double* x, const Sample& sample);
  /// The values of a polynomial on the first `paths` paths of `states`.
  std::vector<double> polynomial(const RecordedStates& states, Index d, Index paths,
                                 const DatePolicy& policy) const;
  Fit limited_polynomial(const Regression& r, const Sample& sample) const;
  /// The variables of the regression; without `are_evaluated`, not on the paths of the unit.
  std::vector<Numbers> recorded_variables(Index d, const Sample& sample, bool are_evaluated) const;
  /// Adds the others of State::variables to those of the regression.
  void add_other_variables(Index d, const Sample& sample, const std::vector<double>& coefficients,
                           std::vector<Numbers>& list) const;
  State state_of(Index d, const Sample& few, const std::vector<double>& payment) const;
  /// By what the control changes after date d on all paths of the regressions; empty without one.
  std::vector<double> change_of_control(Index d, const Payments& payments) const;
  /// Subtracts the noise that the control explains from the payments.
  void subtract_noise(Regression& r) const;
  /// The variable a function of which explains most of the residuals of few paths, or null if on
  /// `all` paths none would be taken.
  static const Variable* best_variable(const std::vector<const Variable*>& variables,
                                       const std::vector<double>& residual, std::size_t all);
  /// Adds the best function of a variable, which has the values `mine` on the paths of the unit, to
  /// a fit. False if that is the worse for it.
  static bool add_function(const PlacesBetweenKnots& theirs, const std::vector<double>& mine,
                           Fit& fit);
  /// Adds up to three functions to the polynomial on few paths, which is replaced by that on all.
  void add_functions(const Regression& r, Fit& fit) const;

  const ExerciseSetup& exercise_;
  const RecordedStates &others_, &mine_;
  const Context& alone_;
  StateRegression regression_;
};

}  // namespace gsim::pricing
