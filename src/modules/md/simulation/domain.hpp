#pragma once
// Which rank has which atoms, and which ghosts it sees: decomposition, migration, halo and load
// balance of one simulation. Nothing here reaches a result.

#include <cstdint>
#include <span>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/load_balancer.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/md/particles.hpp"

namespace gsim::md {

/// [balance]: how work is spread over ranks.
struct BalanceConfig {
  bool enabled = true;
  double tolerance = 0.02;     ///< how much longer than the mean the slowest rank may take
  std::vector<double> speeds;  ///< of the ranks; empty: measured
  SourceLocation speeds_at = {};
};
void describe_balance(Section& s, BalanceConfig& config);
/// ConfigError unless each of so many ranks has a speed, or none has.
void check_speeds(const BalanceConfig& config, int ranks);

class Domain {
 public:
  /// Ghosts reach `width` far. `particles` must outlive it.
  Domain(const Communicator& communicator, Particles& particles, const Box& box, double width,
         BufferPath path, const BalanceConfig& balance);

  /// How far ghosts reach, from the next rebuild() on.
  void set_width(double width) { width_ = width; }
  /// Atoms to their owners, then ghosts anew. Collective. InputError as check_halo_width.
  void rebuild(const Box& box);
  /// Local row i becomes what row order[i] was; ghosts anew. Collective.
  void sort(View<const std::int32_t> order, const Box& box);

  /// The ghosts' positions, to be used after finish_halo().
  void post_halo();
  void finish_halo();

  /// Seconds that this rank has worked; and the end of an interval of `steps` steps between which
  /// atoms stayed on their ranks, 0: which tells nothing.
  void add_seconds(double seconds) { speed_.add(seconds); }
  void end_interval(Index steps) { speed_.end_interval(can_balance() ? steps : 0); }
  /// Whether borders may move.
  bool can_balance() const { return communicator_.size() > 1 && balance_.enabled; }
  /// New cuts, where the time for ranks' work differs too much: `work` is this rank's a step,
  /// `shares` are the locals' (ShortRange::work). True when there are: rebuild() must follow.
  /// Collective.
  bool balance(const Box& box, std::span<const std::int64_t> shares, std::int64_t work);

  const HaloPlan& plan() const { return plan_; }
  const Communicator& communicator() const { return communicator_; }

 private:
  void plan_halo(const Box& box);
  std::vector<FixedPosition> host_positions() const;
  Communicator communicator_;
  Particles& particles_;
  double width_;
  BufferPath path_;
  Decomposition bricks_;
  Migrator migrator_;
  HaloPlan plan_;
  HaloExchange halo_;
  BalanceConfig balance_;
  SpeedMeter speed_;
};

}  // namespace gsim::md
