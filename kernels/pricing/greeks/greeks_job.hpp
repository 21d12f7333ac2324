#pragma once
// The job of the kernels that compute samples of Greeks. Adjoint Greeks follow from a reverse sweep
// over the paths of the market itself (adjoint/adjoint_job.hpp). For the others every trade is
// evaluated on the paths of the market and on those of up to four bumped markets, which use the
// same random numbers, and the differences of its samples are summed. Their statistics are those of
// the difference quotients themselves, so that their standard errors include the correlation of the
// paths.

#include "kernels/pricing/greeks/adjoint/adjoint_job.hpp"
#include "kernels/pricing/greeks/adjoint/script_job.hpp"
#include "kernels/pricing/job.hpp"

namespace gsim::pricing {

/// Largest number of bumped markets that one Greek needs.
inline constexpr int max_greek_points = 4;

/// A Greek of one trade: sample = sum_p coefficient[p] (X_p - X), where X_p is the trade's sample
/// at point p of the stencil and X that of the market itself.
struct GreekRow {
  double coefficient[max_greek_points];
};

/// The record of an asset's paths in a bumped market that follow from those in the market itself.
/// With x the log-spot relative to S(0) and w the sum, over the records up to this one, of `slope`
/// times the change of x since the record before:
///   S' = scale e^w S,  x' = x + w + shift.
/// Values are in rows of the tile (record * rows + row).
template <class T>
struct DerivedRecord {
  std::int32_t spot, log;        ///< S and x
  std::int32_t last_log;         ///< x at the record before; -1: it is 0
  std::int32_t to_spot, to_log;  ///< S' and x'; -1: not written
  T slope, scale, shift;
};
/// The records of one asset in one bumped market, in order of time.
template <class T>
struct DerivedAsset {
  Index records;
  const DerivedRecord<T>* record;
};

/// The bumped markets that some Greeks need, and the trades with these Greeks (entries).
template <class T>
struct GreekStencil {
  /// `active` lists the trades of the entries; of `paths` only the rows of the assets are read.
  PathJob<T> point[max_greek_points];
  std::int32_t points;
  Index entries, first_result;    ///< first_result: of its rows among the statistics of a block
  const std::int32_t* base;       ///< [entries] position in GreeksJob::base.active
  const GreekRow* row;            ///< [rows], in the order of the entries
  const std::int32_t* first_row;  ///< [entries + 1]
};

/// CUDA: a Greek of a batch.
struct GreekOfBatch {
  GreekRow row;
  std::int32_t base;  ///< of its trade: position in GreeksJob::base.active
  std::int32_t slot;  ///< of the samples at the first point; those at the others follow
  std::int32_t points;
};

/// CUDA: a trade in a batch whose payoff has launchers.
template <class T>
struct LaunchedInMarket {
  const PathJob<T>* market;
  const LaunchedTrade<T>* trade;
  Index slot;
};

/// CUDA: trades in some markets whose samples are computed by the same launches, each in a slot.
template <class T>
struct TradeBatch {
  Index slots;
  const TradeInMarket<T>* slot;        ///< [slots]
  const ExerciseTarget<T>* exercised;  ///< [targets] trades with early exercise among them
  Index targets;
  bool targets_are_vanilla;                                  ///< as ExerciseJob::is_vanilla
  void (*exercise)(const Executor&, const ExerciseJob<T>&);  ///< if there are targets
  const LaunchedInMarket<T>* launched;                       ///< [launches], in host memory
  Index launches;
};

/// CUDA: Greeks that are computed by the same launches, and the trades at the points of their
/// stencils.
template <class T>
struct GreekBatch {
  TradeBatch<T> trades;
  Index greeks, first_result;
  const GreekOfBatch* greek;  ///< [greeks]
};

/// Stencils whose derived paths are in the tile together, at rows that other groups use in turn.
template <class T>
struct GreekGroup {
  Index derived_assets;
  const DerivedAsset<T>* derived;     ///< [derived_assets], of all points
  Index first_stencil, last_stencil;  ///< host
  const GreekBatch<T>* batch;         ///< CUDA: [batches], in host memory
  Index batches;
};

/// Simulation of blocks `blocks` for the active Greeks. One tile holds the paths of the market, at
/// further rows those of bumped markets that are simulated, and at other rows, which the groups
/// use in turn, those that are derived.
template <class T>
struct GreeksJob {
  PathJob<T> base;          ///< the market itself, and bumped ones as variants
  const PathJob<T>* other;  ///< [others] bumped markets with a simulation of their own
  Index others;
  const GreekStencil<T>* stencil;  ///< host: [stencils]
  const GreekGroup<T>* group;      ///< [groups], in host memory
  Index groups;
  TradeBatch<T> base_trades;  ///< CUDA: the active trades of `base`
  AdjointTable<T> adjoint;    ///< trades of `base`
  /// Whether the statistics of the trades of `base` are computed, as for PathJob: they are the
  /// first of a block, followed by those of the Greeks, of which the adjoint ones are the last.
  bool has_prices;
  Index rows;  ///< statistics of a block
  Index block_samples;
  IndexRange blocks;
  Index tile_samples;   ///< as in PathJob
  Index slots_at_once;  ///< largest number of slots of a batch; host: max_greek_points
  Index sums_at_once;   ///< CUDA: largest number of sums of `adjoint` that are in memory together;
                        ///< host: all
  Index derivative_rows;  ///< host: largest number of derivatives of a payoff on the paths of a
                          ///< sample that are stored; CUDA: 0
  Index script_numbers;   ///< that the derivatives of scripts need (script_job.hpp)
  void (*derive_script)(const Executor&, const ScriptDerivativesJob<T>&);
  Index rows_at_once;  ///< largest number of other Greeks whose samples are in memory together
  std::byte* scratch;  ///< greek_scratch.hpp; host: one part per worker
  BlockStatistics* results;  ///< [block - blocks.first][row]
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(run_greeks_f64_strict, pricing::GreeksJob<double>)
GSIM_DECLARE_LAUNCHER(run_greeks_f64_fast, pricing::GreeksJob<double>)
