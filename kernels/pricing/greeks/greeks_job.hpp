#pragma once
// The job of the kernels that compute samples of Greeks: every trade is evaluated on the paths of
// the market and on those of up to four bumped markets, which use the same random numbers, and the
// differences of its samples are summed. The statistics are those of the difference quotients
// themselves, so that their standard errors include the correlation of the paths.

#include "kernels/pricing/job.hpp"

namespace gsim::pricing {

/// Largest number of bumped markets that one Greek needs.
inline constexpr int max_greek_points = 4;

/// A Greek of one trade: sample = sum_p coefficient[p] (X_p - X), where X_p is the trade's sample
/// at point p of the stencil and X that of the market itself.
struct GreekRow {
  double coefficient[max_greek_points];
};

/// The paths of a bumped market that are affine functions of those of the market itself: of each
/// listed row of the tile, scale times the row plus shift. No rows: the paths are simulated.
template <class T>
struct DerivedTile {
  Index rows;
  const std::int32_t* row;  ///< [rows] record * rows per record + row of the record
  const T *scale, *shift;   ///< [rows]
};

/// The bumped markets that some Greeks need, and the trades with these Greeks (entries).
template <class T>
struct GreekStencil {
  PathJob<T> point[max_greek_points];  ///< `active` lists the trades of the entries
  DerivedTile<T> derived[max_greek_points];
  std::int32_t points;
  Index entries, rows, first_result;  ///< first_result: of its rows among those of a block
  const std::int32_t* base;           ///< [entries] position in GreeksJob::base.active
  const std::int32_t* entry_of_row;   ///< [rows]
  const GreekRow* row;                ///< [rows], in the order of the entries
  const std::int32_t* first_row;      ///< [entries + 1], in host memory
};

/// Simulation of blocks `blocks` for the active Greeks.
template <class T>
struct GreeksJob {
  PathJob<T> base;                 ///< the market itself
  const GreekStencil<T>* stencil;  ///< [stencils], in host memory
  Index stencils;
  std::int32_t slots;  ///< tiles held at a time: that of the market, and one for each point
  Index rows;          ///< Greeks of a block
  Index block_samples;
  IndexRange blocks;
  Index tile_samples;        ///< as in PathJob
  Index entries_at_once;     ///< CUDA: entries evaluated by one launch; host: 1
  Index rows_at_once;        ///< largest number of Greeks of so many consecutive entries
  std::byte* scratch;        ///< greek_scratch.hpp; host: one part per worker
  BlockStatistics* results;  ///< [block - blocks.first][row]
};

}  // namespace gsim::pricing

GSIM_DECLARE_LAUNCHER(run_greeks_f64_strict, pricing::GreeksJob<double>)
GSIM_DECLARE_LAUNCHER(run_greeks_f64_fast, pricing::GreeksJob<double>)
