#pragma once
// A path model that a plugin brings: how the spot of an asset moves, chosen by `model` in
// [market.assets.NAME]. One is a functor (path_model.hpp) in a .cu file that gsim_add_plugin() gets
// as one of its KERNELS,
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
// It draws
//   draws.normal(i)   i < normals. Number 0 is the asset's own, correlated with those of the other
//                     assets as [market.correlation] says; the next are independent of all else. Of
//                     Sobol points, each is a dimension a step.
//   draws.uniform(i), draws.further_normal(i)   in (0, 1), and standard normal: pseudo-random. They
//                     are drawn when asked for, and are the same whenever asked for again: a path
//                     that rejects takes the next i, which is below 10^7 by the number of assets;
// of which a mirrored path gets -z and 1 - u.
//
// What it goes with: every trade of pricing's and of plugins, alone and with assets of any other
// model, in double and float, with mirrored paths and Sobol points, and with importance sampling,
// which tilts the normals of steps and leaves the further draws. Continuous monitoring takes a
// model that is `bridged`; pricing.conditional takes none. The spot is the only control variate,
// where `martingale` says that its mean is known.

#include <span>
#include <string_view>
#include <vector>

#include "gsim/pricing/path_model.hpp"

namespace gsim {
class Section;
}

namespace gsim::pricing {

/// What is known of an asset when its model's own keys are read; zeros while these are only
/// described (Section::describing()).
struct PathModelAsset {
  double spot = 0;  ///< today, > 0
};

/// One time step, years from today.
struct PathStep {
  double from = 0, to = 0;
  double carry = 0;  ///< the integral of rate - dividend over it
};

struct PathModelKind {
  static constexpr char extends[] = "path model", module[] = "pricing";  // Registry::extend
  std::string_view name, doc;
  Index normals = 1;         ///< as the functor says
  bool bridged = false;      ///< as the functor says
  bool small_steps = false;  ///< its steps are approximations: pricing.steps_per_year bounds them
  /// Over every step the mean of S' / S is e^carry: the discounted spot is a martingale, which
  /// `gsim plugin check` tries.
  bool martingale = true;
  /// Describes the keys that are the model's own; returns the numbers that its functor and the
  /// functions below read, at most a million. They must refuse, at their key, all values that the
  /// model cannot run with.
  std::vector<double> (*describe)(Section& section, const PathModelAsset& asset) = nullptr;
  /// Constants of a step, computed once in double: as many for every step, at most a thousand.
  /// Null: none, and then the functor does not know how long steps are.
  std::vector<double> (*step_numbers)(std::span<const double> numbers,
                                      const PathStep& step) = nullptr;
  /// A bound that ln(S(t) / S(0)), less the integral of rate - dividend, does not leave with any
  /// probability that matters (1e-30): trades whose numbers would overflow are then refused, and
  /// exponentials are cheaper. Null: not known.
  double (*reach)(std::span<const double> numbers, double years) = nullptr;
  /// The correlation, in (0, 1], of normal 0 with the spot's Brownian motion, where further normals
  /// move the spot, too: [market.correlation] speaks of the spots. Null: 1.
  double (*spot_share)(std::span<const double> numbers) = nullptr;
  PathModelLaunchers launchers = {};
  /// A whole configuration of module pricing with it, that runs within seconds.
  std::string_view example = {};

  /// What it lacks (Registry::Extension).
  const char* missing() const {
    const bool has_launchers = launchers.f64_strict != nullptr && launchers.f64_fast != nullptr &&
                               launchers.f32_strict != nullptr && launchers.f32_fast != nullptr;
    if (describe == nullptr) return "describe";
    if (normals < 1) return "one normal a step or more";
    return has_launchers ? nullptr : "the launchers of GSIM_PATH_MODEL";
  }
};

}  // namespace gsim::pricing
