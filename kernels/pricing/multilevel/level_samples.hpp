#pragma once
// Samples of one level of multilevel Monte Carlo (Giles 2008, Operations Research 56(3); Giles
// 2015, Acta Numerica 24): the payoff on a fine path less that on a coarse path that is driven by
// the same Brownian motion, so that the normals of a coarse step are sums of fine ones over the
// square root of their number. The estimators have expectations that cancel between levels:
//   - extremes and barriers: the fine path uses the Brownian bridge within its steps. Between the
//     ends of a coarse step, the coarse path is interpolated at the fine dates with the bridge of
//     the same Brownian motion and the coarse volatility, and uses the bridge between these dates
//     with the same uniform numbers (Giles 2008, "Improved multilevel Monte Carlo convergence using
//     the Milstein scheme", sections 4.3 and 4.4);
//   - digitals: the conditional expectation over the last fine increment of the log-spot (section
//     4.5 there);
//   - averages: between its dates a path is interpolated linearly (section 4.2 there, without the
//     term of the bridge's area).
// Schemes: lognormal steps; the Milstein scheme of the log-spot under a local volatility
// (Glasserman 2004, eq. 6.23); under Heston's model Andersen's QE scheme
// (path_models/heston_qe.hpp), with the antithetic estimator of Giles and Szpruch (2014, Annals of
// Applied Probability 24), since the two Brownian motions have Levy areas that the scheme does not
// simulate.

#include "gsim/pricing/bridge_extreme.hpp"
#include "gsim/pricing/path_normals.hpp"
#include "gsim/pricing/sobol_normals.hpp"
#include "kernels/pricing/multilevel/level_job.hpp"
#include "kernels/pricing/path_models/heston_qe.hpp"
#include "kernels/pricing/path_models/local_volatility.hpp"

GSIM_TARGET_BEGIN
namespace pricing_kernels {

/// A path at a date, with what its payoff has accumulated.
template <class P>
struct LevelPath {
  P x, v;      ///< log-spot relative to S(0), variance
  P sum;       ///< asian: sum of spots over S(0)
  P extreme;   ///< lookback: log-spot
  P survival;  ///< barrier: probability that it was not touched
  P chance;    ///< digital: probability of a payment
};

/// A step before its normal z is known: x' = mean + sd z + curvature (z^2 - 1).
template <class P>
struct LevelMove {
  P mean, sd, curvature;
  P next_v;
  P variance;  ///< of the log-spot over the step, for the bridge
};

template <StepScheme scheme, class P>
GSIM_HD LevelMove<P> level_move(const AssetTable<double>& a, Index k, const LevelPath<P>& s,
                                P z_v) {
  const P zero(0.0);
  if constexpr (scheme == StepScheme::heston) {
    const QeStep<double>& c = a.qe[k];
    const auto moved = heston_qe_step<Strict>(c, s.x, s.v, zero, z_v, a.drift[k]);
    return {moved.x, sqrt(fma(P(c.k3), s.v, P(c.k4) * moved.v)), zero, moved.v, moved.variance};
  } else if constexpr (scheme == StepScheme::local_volatility) {
    const int points = a.local_points;
    const double* row = a.local_vol + k * points;
    const P at = (s.x - P(a.local_first)) * P(a.local_inverse_spacing);
    const P sd = interpolate(row, grid_point(points, at)) * P(a.sd[k]);
    const P inside = at_most(at_least(at, zero), P(static_cast<double>(points - 1)));
    const P cell = at_most(floor(inside), P(static_cast<double>(points - 2)));
    const auto index = convert<std::int32_t>(cell);
    const P slope =
        (gather(row + 1, index) - gather(row, index)) * P(a.local_inverse_spacing * a.sd[k]);
    const auto is_outside = (at < zero) | (at > P(static_cast<double>(points - 1)));
    const P variance = sd * sd;
    return {s.x + fma(P(-0.5), variance, P(a.drift[k])), sd,
            select(is_outside, zero, P(0.5) * (sd * slope)), zero, variance};
  } else {
    const P sd(a.sd[k]);
    return {s.x + P(a.drift[k]), sd, zero, zero, sd * sd};
  }
}

template <StepScheme scheme, class P>
struct LevelSampler {
  static constexpr bool has_variance = scheme == StepScheme::heston;
  const LevelJob* job;

  GSIM_HD LevelPath<P> start() const {
    return {P(0.0), P(job->fine.v0), P(0.0), P(job->terms.extreme), P(1.0), P(0.0)};
  }

  /// The extremes between two dates.
  GSIM_HD void observe(LevelPath<P>& s, P from, P to, P variance, P u) const {
    const LevelPayoffTerms& t = job->terms;
    const P side(t.side);
    if (t.payoff == LevelPayoff::lookback) {
      const P reached = bridge_maximum<Strict>(side * from, side * to, variance, u);
      s.extreme = side * at_least(side * s.extreme, reached);
    } else if (t.payoff == LevelPayoff::barrier) {
      // Glasserman 2004, eq. 6.50
      const P zero(0.0), b(t.barrier);
      const P product = at_least(b - side * from, zero) * at_least(b - side * to, zero);
      const P exponent = product / at_least(variance, P(tiny<double>()));
      s.survival = s.survival * (P(1.0) - exp<Strict>(P(-2.0) * exponent));
    }
  }

  /// The spots of the fixings in step k of `steps`, between log-spots.
  GSIM_HD void average(LevelPath<P>& s, Index k, Index steps, P from, P to) const {
    const Index n = job->terms.fixings;
    if (steps > n) {
      if ((k + 1) % (steps / n) == 0) s.sum = s.sum + exp<Strict>(to);
      return;
    }
    const auto q = static_cast<double>(n / steps);
    const P first = exp<Strict>(from), last = exp<Strict>(to);
    s.sum = s.sum + fma(P(0.5 * (q + 1)), last - first, P(q) * first);
  }

  /// The digital's probability of a payment for a normal log-spot at the end.
  GSIM_HD void decide(LevelPath<P>& s, P mean, P sd) const {
    const LevelPayoffTerms& t = job->terms;
    s.chance =
        normal_cdf<Strict>(P(t.sign) * (mean - P(t.strike)) / at_least(sd, P(tiny<double>())));
  }

  GSIM_HD P value(const LevelPath<P>& s) const {
    const LevelPayoffTerms& t = job->terms;
    const P zero(0.0), sign(t.sign), strike(t.strike), spot(t.spot);
    const auto option = [&](P amount) { return at_least(sign * (amount - strike), zero); };
    P paid = zero;
    switch (t.payoff) {
      case LevelPayoff::european:
        paid = option(spot * exp<Strict>(s.x));
        break;
      case LevelPayoff::digital:
        paid = P(t.cash) * s.chance;
        break;
      case LevelPayoff::asian:
        paid = option(spot * s.sum * P(1.0 / static_cast<double>(t.fixings)));
        break;
      case LevelPayoff::lookback: {
        const P extreme = spot * exp<Strict>(s.extreme);
        paid = t.floating ? sign * (spot * exp<Strict>(s.x) - extreme) : option(extreme);
        break;
      }
      case LevelPayoff::barrier: {
        const P share = t.knock_in ? P(1.0) - s.survival : s.survival;
        paid = share * option(spot * exp<Strict>(s.x));
        break;
      }
    }
    return P(t.discount) * paid;
  }

  /// The increments of the fine steps in one coarse step.
  struct Increments {
    P z[largest_ratio], z_v[largest_ratio], u[largest_ratio];
  };

  /// Fine steps from number `first` on; with `is_reversed`, with the increments in reverse order.
  GSIM_HD void move_fine(LevelPath<P>& s, Index first, const Increments& d,
                         bool is_reversed) const {
    const bool is_digital = job->terms.payoff == LevelPayoff::digital;
    for (int i = 0; i < job->ratio; ++i) {
      const int draw = is_reversed ? static_cast<int>(job->ratio) - 1 - i : i;
      const Index k = first + i;
      const auto m = level_move<scheme>(job->fine, k, s, d.z_v[draw]);
      if (is_digital && k + 1 == job->fine_steps) return decide(s, m.mean, m.sd);
      const P z = d.z[draw];
      const P to = m.mean + fma(m.sd, z, m.curvature * (z * z - P(1.0)));
      end_step(s, m, to, d.u[draw]);
      if (job->terms.payoff == LevelPayoff::asian) average(s, k, job->fine_steps, s.x, to);
      s.x = to;
    }
  }
  GSIM_HD void end_step(LevelPath<P>& s, const LevelMove<P>& m, P to, P u) const {
    observe(s, s.x, to, m.variance, u);
    s.v = m.next_v;
  }

  /// One coarse step, number j.
  GSIM_HD void move_coarse(LevelPath<P>& s, Index j, const Increments& d) const {
    const int ratio = static_cast<int>(job->ratio);
    const Index steps = job->fine_steps / ratio;
    const double root = __builtin_sqrt(static_cast<double>(ratio)), scale = 1 / root;
    P z(0.0), z_v(0.0), before_last(0.0);
    for (int i = 0; i < ratio; ++i) {
      before_last = z;
      z = z + d.z[i];
      z_v = z_v + d.z_v[i];
    }
    z = z * P(scale);
    const auto m = level_move<scheme>(job->coarse, j, s, z_v * P(scale));
    if (job->terms.payoff == LevelPayoff::digital && j + 1 == steps)
      return decide(s, fma(m.sd, before_last * P(scale), m.mean), m.sd * P(scale));
    const P to = m.mean + fma(m.sd, z, m.curvature * (z * z - P(1.0)));
    const LevelPayoff payoff = job->terms.payoff;
    if (payoff == LevelPayoff::lookback || payoff == LevelPayoff::barrier)
      observe_between(s, m, to, d);
    if (payoff == LevelPayoff::asian) average(s, j, steps, s.x, to);
    s.x = to;
    s.v = m.next_v;
  }

  /// The coarse path between the ends of its step, at the fine dates.
  GSIM_HD void observe_between(LevelPath<P>& s, const LevelMove<P>& m, P to,
                               const Increments& d) const {
    const int ratio = static_cast<int>(job->ratio);
    const double rho = job->rho, rest = __builtin_sqrt(1 - rho * rho);
    P whole(0.0);
    P at[largest_ratio];
    for (int i = 0; i < ratio; ++i) {
      whole =
          whole + (scheme == StepScheme::heston ? fma(P(rho), d.z_v[i], P(rest) * d.z[i]) : d.z[i]);
      at[i] = whole;
    }
    const P part(1.0 / ratio), sd = sqrt(m.variance * part), variance = m.variance * part;
    P from = s.x;
    for (int i = 0; i < ratio; ++i) {
      const P share(static_cast<double>(i + 1) / ratio);
      const P bridge = sd * (at[i] - share * whole);
      const P next = i + 1 == ratio ? to : fma(share, to - s.x, s.x) + bridge;
      observe(s, from, next, variance, d.u[i]);
      from = next;
    }
  }

  GSIM_HD void operator()(Index group) const {
    constexpr Index lanes = lanes_of<P>;
    const std::uint64_t first = job->first + static_cast<std::uint64_t>(group * lanes);
    const Index draws = job->fine_steps * (has_variance ? 2 : 1);
    if (job->sobol.dimensions == 0)
      return sample(group, first, PathNormals<P, Strict>(job->normals, first, draws));
    double* stored = job->stored + group * lanes * draws;
    store_sobol_normals<Strict, P>(job->sobol, static_cast<Index>(first), stored, lanes);
    sample(group, first, StoredNormals<P>(stored, lanes, draws));
  }

  /// The samples of a group of paths, whose first one is number `first`.
  template <class Normals>
  GSIM_HD void sample(Index group, std::uint64_t first, Normals normals) const {
    constexpr Index lanes = lanes_of<P>;
    LevelPath<P> fine = start(), swapped = start(), coarse = start();
    const bool has_coarse = job->ratio > 1;
    Increments d{};
    for (Index k = 0; k < job->fine_steps; k += job->ratio) {
      for (int i = 0; i < job->ratio; ++i) {
        d.z[i] = normals.next();
        if constexpr (has_variance) d.z_v[i] = normals.next();
        if (job->terms.payoff == LevelPayoff::lookback)
          d.u[i] = uniforms<double>(words_at<P>(job->bridge, first, k + i, 0)).value[0];
      }
      move_fine(fine, k, d, false);
      if (job->is_antithetic) move_fine(swapped, k, d, true);
      if (has_coarse) move_coarse(coarse, k / job->ratio, d);
    }
    P on_fine = value(fine);
    if (job->is_antithetic) on_fine = P(0.5) * (on_fine + value(swapped));
    store(job->values + group * lanes, on_fine);
    store(job->differences + group * lanes, has_coarse ? on_fine - value(coarse) : on_fine);
  }
};

template <StepScheme scheme>
void sample_level_of(const Executor& executor, const LevelJob& job) {
  using P = packed<double>;
  launch(executor, "multilevel samples", job.count / lanes_of<P>, LevelSampler<scheme, P>{&job});
}

}  // namespace pricing_kernels
GSIM_TARGET_END
