#include <algorithm>
#include <cmath>
#include <string>

#include "gsim/core/error.hpp"
#include "gsim/domain/halo.hpp"
#include "src/domain/decomposition/check_ranks.hpp"
#include "src/domain/particles/device_rows.hpp"
#include "src/domain/particles/host_column.hpp"

namespace gsim {
namespace {

// Tags that the messages of other code do not use.
constexpr int count_tag = Messages::tags - 1;
constexpr int build_tag = Messages::tags - 3;

/// `distance` along an axis in the units of bricks, 1 / cut_range of the axis, rounded up.
std::uint64_t units(const Box& box, int axis, double distance) {
  const double required = std::ceil(box.fraction_of(axis, distance) * double(cut_range)) + 1;
  return required < double(cut_range) ? static_cast<std::uint64_t>(required) : cut_range;
}

}  // namespace

HaloRegion::HaloRegion(const Box& box, const Brick& brick, double width) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const std::uint64_t reach = units(box, axis, width);
    if (box.boundary(axis) == Boundary::periodic) {
      span_[a] = std::min(brick.hi[a] - brick.lo[a] + 2 * reach, cut_range);
      lo_[a] = static_cast<std::uint32_t>(brick.lo[a] - reach);  // wraps
    } else {
      const std::uint64_t lo = brick.lo[a] > reach ? brick.lo[a] - reach : 0;
      lo_[a] = static_cast<std::uint32_t>(lo);
      span_[a] = std::min(brick.hi[a] + reach, cut_range) - lo;
    }
  }
}

bool HaloRegion::overlaps(const Brick& brick) const {
  for (std::size_t a = 0; a < 3; ++a) {
    const auto first = static_cast<std::uint32_t>(brick.lo[a]);
    // Two intervals of a circle overlap if one of them contains the beginning of the other.
    const bool begins_inside = std::uint32_t(first - lo_[a]) < span_[a];
    const bool holds_beginning = std::uint32_t(lo_[a] - first) < brick.hi[a] - brick.lo[a];
    if (!begins_inside && !holds_beginning) return false;
  }
  return true;
}

void check_halo_width(const Box& box, double width) {
  GSIM_VALIDATE(std::isfinite(width) && width >= 0,
                "a halo of width " + std::to_string(width) + " is not possible",
                "choose a finite width of 0 or more");
  for (int axis = 0; axis < 3; ++axis)
    GSIM_VALIDATE(box.boundary(axis) == Boundary::open || box.width(axis) >= 2 * width,
                  "the periodic box is " + std::to_string(box.width(axis)) + " wide across axis " +
                      "xyz"[axis] + ", less than twice the reach of the interactions, " +
                      std::to_string(width),
                  "enlarge the box (replicate it), or choose a shorter cutoff or a thinner skin");
}

HaloPlan::HaloPlan(Communicator communicator)
    : communicator_(std::move(communicator)), messages_(communicator_.backend().make_messages()) {}

HaloPlan::~HaloPlan() = default;

void HaloPlan::choose_rows(const ParticleStore& store, const Box& box,
                           const Decomposition& decomposition, double width) {
  peers_.clear();
  rows_.clear();
  const int me = communicator_.rank();
  const Brick& mine = decomposition.brick(me);
  std::vector<HaloRegion> regions;
  for (int r = 0; r < decomposition.ranks(); ++r) {
    if (r == me) continue;
    const HaloRegion region(box, decomposition.brick(r), width);
    if (!region.overlaps(mine))
      continue;  // the relation is symmetric, so the peer has the same result
    peers_.push_back({r, 0, 0, 0, 0});
    regions.push_back(region);
  }
  if (peers_.empty()) return;
  if (store.executor().is_cuda())
    choose_rows_on_device(store, regions);
  else
    choose_rows_on_host(store, regions);
}

void HaloPlan::choose_rows_on_host(const ParticleStore& store,
                                   std::span<const HaloRegion> regions) {
  const detail::HostColumn<FixedPosition> positions(store, store.position());
  for (std::size_t p = 0; p < peers_.size(); ++p) {
    peers_[p].first_sent = static_cast<Index>(rows_.size());
    for (Index i = 0; i < store.locals(); ++i)
      if (regions[p].contains(positions[i])) rows_.push_back(static_cast<std::int32_t>(i));
    peers_[p].sent = static_cast<Index>(rows_.size()) - peers_[p].first_sent;
  }
}

void HaloPlan::choose_rows_on_device(const ParticleStore& store,
                                     std::span<const HaloRegion> regions) {
  std::vector<domain::CutRegion> cuts;
  for (const HaloRegion& region : regions) cuts.push_back(detail::region_of(region));
  if (device_rows_ == nullptr)
    device_rows_ = std::make_unique<detail::RowsInRegions>(store.executor());
  device_rows_->list(store, cuts);
  for (std::size_t p = 0; p < peers_.size(); ++p) {
    peers_[p].first_sent = p == 0 ? 0 : device_rows_->ends()[p - 1];
    peers_[p].sent = device_rows_->ends()[p] - peers_[p].first_sent;
  }
}

void HaloPlan::exchange_counts() {
  std::vector<OutgoingMessage> out;
  std::vector<IncomingMessage> in;
  for (Peer& peer : peers_) {
    out.push_back({peer.rank, &peer.sent, sizeof(peer.sent)});
    in.push_back({peer.rank, &peer.ghosts, sizeof(peer.ghosts)});
  }
  messages_->post(count_tag, out, in);
  messages_->finish();
  ghosts_ = 0;
  for (Peer& peer : peers_) {
    peer.first_ghost = ghosts_;
    ghosts_ += peer.ghosts;
  }
}

void HaloPlan::build(ParticleStore& store, const Box& box, const Decomposition& decomposition,
                     double width, BufferPath path) {
  check_halo_width(box, width);
  detail::check_ranks(decomposition.ranks(), communicator_);
  choose_rows(store, box, decomposition, width);
  exchange_counts();
  store.resize_ghosts(ghosts_);
  std::vector<ColumnId> copied;
  for (int c = 0; c < store.columns(); ++c)
    if (store.column({c}).ghosts == Ghosts::copied) copied.push_back({c});
  HaloExchange& exchange = column_exchange(store, path);
  exchange.post(copied);
  exchange.finish();
}

HaloExchange& HaloPlan::column_exchange(ParticleStore& store, BufferPath path) {
  if (column_exchange_ == nullptr || &column_exchange_->store_ != &store ||
      column_exchange_->path_ != path)
    column_exchange_.reset(
        new HaloExchange(*this, store, path, HaloExchange::ReservedTag{build_tag}));
  return *column_exchange_;
}

void HaloPlan::build(ParticleStore& store, const ReplicatedDecomposition& decomposition) {
  detail::check_ranks(decomposition.ranks(), communicator_);
  peers_.clear();
  rows_.clear();
  device_rows_.reset();
  ghosts_ = 0;
  column_exchange_.reset();
  store.resize_ghosts(0);
}

const std::int32_t* HaloPlan::send_rows() const {
  return device_rows_ != nullptr ? device_rows_->rows() : rows_.data();
}

}  // namespace gsim
