#pragma once
// Domain decomposition of one simulation: migration of atoms, halo of ghosts, and load balancing.
// Results do not depend on any of these.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/domain/halo.hpp"
#include "gsim/domain/load_balancer.hpp"
#include "gsim/domain/migrator.hpp"
#include "gsim/md/particles.hpp"
#include "src/modules/md/forces/short_range.hpp"

namespace gsim::md {

/// [balance]: load balancing between ranks.
struct BalanceConfig {
  bool enabled = true;
  double tolerance =
      0.02;  ///< largest relative excess of the time of the slowest rank over the mean
  std::vector<double> speeds;     ///< relative, one for each rank; empty: measured
  SourceLocation speeds_at = {};  ///< of the key `speeds`, for errors
};
void describe_balance(Section& s, BalanceConfig& config);
/// ConfigError unless there is one speed for each of `ranks`, or none.
void check_speeds(const BalanceConfig& config, int ranks);

/// Whether load balancing has changed the borders between ranks.
enum class Borders { unchanged, moved };

/// The domain decomposition of a simulation.
class Domain {
 public:
  /// `width`: width of the halo of ghosts. `particles` must outlive the domain.
  Domain(const Communicator& communicator, Particles& particles, const Box& box, double width,
         BufferPath path, const BalanceConfig& balance);

  /// Sets the width of the halo; used from the next rebuild() on.
  void set_width(double width) { width_ = width; }
  /// Migrates atoms to their owners and builds the ghosts. Collective. InputError as
  /// check_halo_width.
  void rebuild(const Box& box);
  /// Reorders the owned atoms, the new row i being the old row order[i], and builds the ghosts.
  /// Collective.
  void sort(View<const std::int32_t> order, const Box& box);

  /// The exchange of the positions of ghosts, which are valid after finish_halo()
  /// (HaloExchange::pack).
  void pack_halo();
  void send_halo();
  /// The same exchange for records of `record_bytes` bytes in place of positions, which
  /// pack(SentRecords) writes by launches: pack_records(), send_halo(), and finish_records(), which
  /// returns the records of the ghosts by row. Launches may read these until the next exchange.
  template <class Pack>
  void pack_records(Index record_bytes, const Pack& pack) {
    std::byte* const records = halo_.begin_records(record_bytes);
    pack(SentRecords{plan_.send_rows(), plan_.sent(), records});
    halo_.end_records();
  }
  const std::byte* finish_records() { return halo_.finish_records(); }
  bool sends_beside_kernels() const { return halo_.sends_beside_kernels(); }
  void finish_halo();

  /// Adds computing time of this rank, in seconds. end_interval() ends an interval of `steps` steps
  /// in which no atom changed its rank; with 0 the interval is discarded.
  void add_seconds(double seconds) { speed_.add(seconds); }
  void end_interval(Index steps) { speed_.end_interval(can_balance() ? steps : 0); }
  /// Whether load balancing is enabled and there is more than one rank.
  bool can_balance() const { return communicator_.size() > 1 && balance_.enabled; }
  /// Moves the borders if the times of the ranks differ by more than the tolerance. `work`: the
  /// work of this rank in one step; `shares`: returns the work of each owned atom
  /// (ShortRange::work), and is called only if borders may move. If borders have moved, rebuild()
  /// must be called next. Collective.
  Borders balance(const Box& box, std::int64_t work,
                  const std::function<std::span<const std::int64_t>()>& shares);

  const HaloPlan& plan() const { return plan_; }
  const Communicator& communicator() const { return communicator_; }

 private:
  void plan_halo(const Box& box);
  std::vector<FixedPosition> host_positions() const;
  Communicator communicator_;
  Particles& particles_;
  double width_;
  BufferPath path_;
  Decomposition bricks_;  // the domains of the ranks
  Migrator migrator_;
  HaloPlan plan_;
  HaloExchange halo_;
  BalanceConfig balance_;
  SpeedMeter speed_;
};

}  // namespace gsim::md
