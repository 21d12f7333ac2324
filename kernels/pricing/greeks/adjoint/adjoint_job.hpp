#pragma once
// The tables of adjoint Greeks: derivatives of a trade's samples with respect to all quantities of
// the market by one reverse sweep over each path (Giles and Glasserman 2006, "Smoking adjoints:
// fast Monte Carlo Greeks", Risk 19(1), 88; Glasserman 2004, section 7.2).
//
// With G_i the derivative of the payoff with respect to ln S at fixing i of an asset, the sweep
// forms H_j, the sum of G_i over the fixings at or after date j, from the last date to the first.
// A change of the market that changes the log-spot over the interval that ends at date j by
// slope_j (x_j - x_j-1) + shift_j, with x the log-spot in the market itself, changes the payoff by
// sum_j H_j (slope_j (x_j - x_j-1) + shift_j). In a segment, a run of dates, `slope` is constant
// and `shift` proportional to a profile p_j, for each Greek with factors of its own, so that all
// Greeks follow from two sums in each segment: of H_j (x_j - x_j-1) and of H_j p_j. The log-spot of
// an asset may also change by slopes times the changes of the log-spots of other assets
// (covariances of assets that change otherwise than the variance, asset_change.hpp), for which
// there are further sums, of H_j of the one asset and x of the other.
//
// Where a path changes otherwise, the derivatives of its log-spots are simulated with it
// (paths/path_tangents.hpp), and the sum of G_i times these is the Greek.
//
// Each Greek of a trade is a linear combination of the same sums, so that only these are added up
// over samples, in batches of samples: the mean of a Greek over a batch is the same combination of
// the means of the sums. Standard errors and the coefficients of control variates follow from the
// means of the batches (batch means, Law 2015, "Simulation Modeling and Analysis", section 9.5.3).
// The samples of a block are divided into four parts of consecutive samples, and sample s of a part
// belongs to the batch of lane s mod 16.

#include <cstdint>

#include "gsim/core/types.hpp"
#include "kernels/pricing/greeks/adjoint/exercised_job.hpp"
#include "kernels/pricing/job.hpp"

namespace gsim::pricing {

/// The function whose derivatives a sweep sums: that of the trade's payoff, or for payoffs with
/// jumps one of those of smoothed_gradients.hpp; or that of a script of gsim's own; `script`: of
/// another program (script_job.hpp).
enum class SweptPayoff : std::int32_t {
  own,
  digital,
  barrier,
  crossings,
  napoleon,
  phoenix,
  script
};

/// The program of a scripted payoff whose derivatives are stored (script_job.hpp): the numbers of
/// its derivatives, of its instructions at all fixings, of the registers that keep their values
/// from fixing to fixing and of all registers, and of the constants and values of tables that it
/// reads. No instructions: it is no such payoff.
struct ScriptSize {
  Index derivatives = 0, steps = 0, states = 0, registers = 0, given = 0;
};

/// Parts and batches of a block.
inline constexpr int parts_of_block = 4, batches_of_block = parts_of_block * LaneSums::lanes;

/// A date of the sweep over the path of one asset. Records are given by their first rows in the
/// tile.
struct AdjointDate {
  std::int32_t fixing;               ///< of the payoff; -1: none
  std::int32_t record, last_record;  ///< of the date and of the one before it; -1: today
};

/// Marks in lists of sums by date: no segment begins at the date, or one that has no sum.
inline constexpr std::int32_t no_segment = -1, no_sum = -2;

/// What the derivatives by an asset's log-spots are multiplied with: at each date H_j with the
/// change of a row of the tile since the date before or, for a tangent, G_j with the row.
struct AdjointColumn {
  std::int32_t row;  ///< in a record
  bool is_tangent;
  const std::int32_t* sum;  ///< [dates] at the first date of a segment: index of its sum or no_sum;
                            ///< else no_segment
};
/// A sweep over one asset of a payoff.
template <class T>
struct AdjointSweep {
  Index dates;
  const AdjointDate* date;  ///< [dates], the last one first
  const T* profile;         ///< [dates] p_j
  const std::int32_t* sum;  ///< [dates] of the sums of H_j p_j, as in AdjointColumn
  /// [dates] of the sums of what the gradient gives besides (smoothed_gradients.hpp), as in
  /// AdjointColumn; null for SweptPayoff::own.
  const std::int32_t* further;
  const AdjointColumn* column;  ///< [columns]
  std::int32_t columns;
  std::int32_t position;           ///< of the asset of the payoff by whose log-spots it is derived
  bool has_tangents, has_changes;  ///< whether a column is a tangent, and one is not
  /// Index of the sum of G_j over all dates; of that of the derivatives with respect to the asset's
  /// weight, for a basket; and with respect to the logarithm of the underlying, for a geometric
  /// basket; or -1.
  std::int32_t total, weight, scale;
  /// Index of the sum of the derivatives with respect to the logarithm of S(0), which are not those
  /// by the spots at the dates; or -1.
  std::int32_t start;
  std::int32_t value;  ///< index of the sum of the values of a smoothed payoff; or -1
  /// Index of the sum of the payments at the first fixing (SweptPayoff::phoenix), which those at
  /// the other fixings follow; or -1.
  std::int32_t paid;
  /// Index of the first of the sums of the derivatives by the amounts of rate claims; or -1.
  std::int32_t claims;
  /// Number of arrays with a derivative for each date that the columns read.
  GSIM_HD Index arrays() const { return (has_tangents ? 1 : 0) + (has_changes ? 1 : 0); }
};
/// A trade; `control` is null without a control variate.
template <class T>
struct AdjointEntry {
  std::int32_t base;  ///< position in GreeksJob::base.active
  std::int32_t sums;
  /// The sum of the trade's own samples, and of those of its control variate; -1: not needed. The
  /// other sums are over paths, and undiscounted.
  std::int32_t payoff_sum, control_sum;
  GSIM_HD bool needs_samples() const { return payoff_sum >= 0 || control_sum >= 0; }
  Index first_sum;  ///< among those of all entries
  SweptPayoff swept;
  const T* number;  ///< of the gradient of the payoff (smoothed_gradients.hpp)
  std::int32_t payoff_sweeps, control_sweeps;
  const AdjointSweep<T>*payoff, *control;
  ScriptSize script;
  /// With early exercise, in place of sweeps: position in AdjointTable::exercised; else -1.
  std::int32_t exercised;
};

/// A coefficient of one of the sums of a trade.
struct AdjointTerm {
  std::int32_t sum;
  double coefficient;
};
/// A Greek: its mean over a batch is the sum of terms [first, first_of_control), that of its
/// control variate the sum of terms [first_of_control, last), of the sums of the batch.
struct AdjointRow {
  std::int32_t first, first_of_control, last;
};

/// The trades with adjoint Greeks.
template <class T>
struct AdjointTable {
  Index entries, rows;
  Index first_result;  ///< of the rows among the statistics of a block
  Index sums;          ///< of all entries
  const AdjointEntry<T>* entry;
  const AdjointRow* row;  ///< [rows], in the order of the entries
  const AdjointTerm* term;
  const std::int32_t* entry_of_row;  ///< [rows]
  const std::int32_t* first_row;     ///< [entries + 1], in host memory
  const Index* first_sum;            ///< [entries + 1], in host memory
  const ScriptSize* script;          ///< [entries], in host memory
  /// Trades with early exercise, in the order of their entries.
  const ExercisedTarget<T>* exercised;     ///< [exercised_targets]
  const std::int32_t* entry_of_exercised;  ///< [exercised_targets], in host memory
  Index exercised_targets;
  void (*sweep_exercised)(const Executor&, const ExercisedSweepJob<T>&);
};

}  // namespace gsim::pricing
