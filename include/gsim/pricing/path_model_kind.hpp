#pragma once
// The record by which a path model is registered: the dynamics of an asset's spot, selected by
// `model` in [market.assets.NAME]. A model is a functor (path_model.hpp) in a .cu file that
// gsim_add_plugin() compiles as one of its KERNELS,
//
//   #include <gsim/pricing/simulate_path.hpp>
//   GSIM_TARGET_BEGIN
//   namespace pricing_kernels {
//   /// Geometric Brownian motion.
//   template <class Policy, class P, class T>
//   struct Lognormal {
//     using State = P;
//     static constexpr int normals = 1;
//     PathModelTerms<T> terms;
//     GSIM_HD explicit Lognormal(const PathModelTerms<T>& t) : terms(t) {}
//     GSIM_HD State start() const { return P(T(0)); }
//     template <class Draws>
//     GSIM_HD void step(Index k, State& x, const Draws& draws) const {
//       const T* c = terms.of_step(k);  // the drift and the standard deviation of the step
//       x = x + fma(P(c[1]), draws.normal(0), P(c[0]));
//     }
//     GSIM_HD P log_spot(const State& x) const { return x; }
//   };
//   }  // namespace pricing_kernels
//   GSIM_TARGET_END
//   GSIM_DEFINE_PATH_MODEL(lognormal, Lognormal)
//
// and a PathModelKind with its name, keys and launchers, which the plugin registers:
//
//   GSIM_DECLARE_PATH_MODEL(lognormal)
//   registry.extend(gsim::pricing::PathModelKind{.name = "lognormal", …, .launchers =
//   GSIM_PATH_MODEL(lognormal)});
//
// The random numbers of a step are
//   draws.normal(i)   i < normals. Normal 0 is the asset's own, correlated with those of the other
//                     assets as [market.correlation] says; the others are independent of all other
//                     draws. With Sobol points, each is one dimension per step.
//   draws.uniform(i), draws.further_normal(i)   in (0, 1), and standard normal: pseudo-random. They
//   are addressed by i: the same i gives the same number. A rejection method continues with the
//   next i, which must stay below 10^7 divided by the number of assets.
// The antithetic path uses -z and 1 - u.
// A model can be combined with every payoff, with assets of any other model, with double and float,
// antithetic and Sobol sampling, and with importance sampling, which tilts the normals of steps and
// leaves the further draws unchanged. Continuous monitoring needs a model that is `bridged`.
// pricing.conditional needs a model of stochastic variance. The discounted spot is the only control
// variate, and is used if `martingale` is true.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/pricing/key_values.hpp"
#include "gsim/pricing/path_model.hpp"

namespace gsim {
class Section;
}

namespace gsim::pricing {

/// The part of an asset that does not depend on the model.
struct PathModelAsset {
  double spot = 0;  ///< today, > 0
};

/// One time step, years from today.
struct PathStep {
  double from = 0, to = 0;
  double carry = 0;  ///< the integral of rate - dividend over it
};

struct PathModelFunctions;

struct PathModelKind {
  static constexpr char extends[] = "path model", module[] = "pricing";  // Registry::extend
  std::string_view name, doc;
  Index normals = 1;  ///< normals per step; must equal the functor's
  /// Whether ln S is a Brownian bridge within a step (path_model.hpp); must equal the functor's.
  bool bridged = false;
  bool small_steps =
      false;  ///< the steps are a discretisation, whose length is bounded by pricing.steps_per_year
  /// Over every step the mean of S' / S is e^carry: the discounted spot is a martingale. `gsim
  /// plugin check` tests it.
  bool martingale = true;
  /// Describes the keys that are the model's own. It also runs to print the schema, without values.
  void (*describe)(Section& section, KeyValues& values) = nullptr;
  /// Refuses values that the model cannot use, at their key, and completes the numbers that the
  /// functor and the functions below read. Null: there is nothing to check or to complete.
  void (*validate)(const Section& section, const PathModelAsset& asset,
                   KeyValues& values) = nullptr;
  /// Constants of a step, computed once in double. Every step has equally many, at most a thousand.
  /// Null: none; the length of a step is then not available to the functor.
  std::vector<double> (*step_numbers)(std::span<const double> numbers,
                                      const PathStep& step) = nullptr;
  /// A bound that ln(S(t) / S(0)), less the integral of rate - dividend, exceeds with a probability
  /// below 1e-30: trades whose numbers would overflow are then rejected, and a cheaper exponential
  /// is used. Null: not known.
  double (*reach)(std::span<const double> numbers, double years) = nullptr;
  /// The correlation, in (0, 1], of normal 0 with the spot's Brownian motion, which is below 1 if
  /// further normals drive the spot, too. With it the correlations of spots, which
  /// [market.correlation] holds, are converted to those of normals 0. Null: 1.
  double (*spot_normal_correlation)(std::span<const double> numbers) = nullptr;
  PathModelLaunchers launchers = {};
  /// Functions of gsim's own models, whose set-up needs more than their numbers
  /// (src/modules/pricing/market/path_model_functions.hpp). They take the place of
  /// describe(), validate() and launchers.
  const PathModelFunctions* functions = nullptr;
  /// A complete configuration of the module pricing with this model, which runs within seconds.
  std::string_view example = {};

  /// The member that is missing, or null (Registry::Extension).
  const char* missing() const {
    const bool has_launchers = launchers.f64_strict != nullptr && launchers.f64_fast != nullptr &&
                               launchers.f32_strict != nullptr && launchers.f32_fast != nullptr;
    if (functions != nullptr) return nullptr;
    if (describe == nullptr) return "describe";
    if (normals < 1) return "at least one normal per step";
    return has_launchers ? nullptr : "the launchers of GSIM_PATH_MODEL";
  }
};

}  // namespace gsim::pricing
