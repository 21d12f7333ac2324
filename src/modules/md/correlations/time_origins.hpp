#pragma once
// Time windows of correlation functions of single atoms: which samples are time origins, the lags
// of a sample, and the values of incomplete windows.
//
// Level l uses every lags^l-th sample. Each of its `origins` slots stores the state of the atoms at
// one time origin; after `lags` further samples of the level, at lags 1, 2, … `lags` times lags^l
// samples, the window is complete, and the next one begins with the same sample. The slots of a
// level begin at equal intervals. One level is therefore the plain average over time origins (M. P.
// Allen and D. J. Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), Sec. 8.3). More levels
// extend to times that grow as powers of `lags`, with the memory for a few origins (the idea of the
// order-n and multiple-tau algorithms: D. Frenkel and B. Smit, Understanding Molecular Simulation,
// 2nd ed. (2002), Sec. 4.4.2; J. Ramirez et al., J. Chem. Phys. 133 (2010) 154103; but coarse
// levels use single samples, not averages, and therefore have no bias).

#include <span>
#include <string>
#include <vector>

#include "gsim/core/digest.hpp"
#include "gsim/core/types.hpp"
#include "gsim/io/dataset.hpp"

namespace gsim::md {

struct OriginPlan {
  Index lags = 10;    ///< number of samples in a window after its origin
  Index levels = 1;   ///< number of levels; each is `lags` times longer than the previous one
  Index origins = 1;  ///< number of overlapping windows of a level; must divide `lags`

  Index slots() const { return levels * origins; }
  /// The number of samples between two samples of a level.
  Index stride(Index level) const {
    Index s = 1;
    for (Index l = 0; l < level; ++l) s *= lags;
    return s;
  }
};

/// A violation of the rules of a plan, with the key: 2 <= lags, 1 <= levels, origins divides lags,
/// and windows have at most 2^40 samples. The key is null for a valid plan.
struct PlanProblem {
  const char* key = nullptr;
  std::string what = {};
};
PlanProblem problem_of(const OriginPlan& plan);

/// The time origins of a run, and the values of incomplete windows.
class TimeOrigins {
 public:
  /// `values`: number of values that a window stores for each lag. InputError for an invalid plan.
  TimeOrigins(const OriginPlan& plan, Index values, const std::string& observer);

  /// How a slot uses a sample: at which lag (0: none), and whether a window begins with it.
  struct Visit {
    Index slot = 0, level = 0, lag = 0;
    bool begins = false;
  };
  /// The slots that use a sample.
  std::vector<Visit> visits(Index sample) const;

  /// The values of a slot's window at lags 0 … lags, `values` each.
  std::span<double> window(Index slot) {
    return std::span(windows_).subspan(static_cast<std::size_t>(slot) * row_, row_);
  }
  const OriginPlan& plan() const { return plan_; }

  void save(DatasetWriter& writer, const std::string& path) const;
  void restore(DatasetReader& reader, const std::string& path);
  void add_to(Digest& digest) const { digest.add(std::span<const double>(windows_)); }

 private:
  OriginPlan plan_;
  std::size_t row_;              ///< number of values of a window, over all its lags
  std::vector<double> windows_;  ///< [slot][lag][value]
};

}  // namespace gsim::md
