#pragma once
// Halo exchange of particles: every rank gets copies (ghosts) of all particles near its brick, so
// that it can compute the forces on its own particles. The plan (send lists) is rebuilt rarely; the
// exchange runs every step, with work between post() and finish().

#include <memory>
#include <span>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/message_buffer.hpp"
#include "gsim/comm/messages.hpp"
#include "gsim/domain/box.hpp"
#include "gsim/domain/decomposition.hpp"
#include "gsim/domain/particle_store.hpp"
#include "gsim/domain/replicated.hpp"
#include "gsim/exec/recorded_event.hpp"

namespace gsim {

class HaloExchange;
namespace detail {
class RowsInRegions;
}

/// The halo of a brick: positions within `width` of it, measured perpendicular to the faces of the
/// box along each axis. It contains all points within the Cartesian distance `width`.
class HaloRegion {
 public:
  HaloRegion(const Box& box, const Brick& brick, double width);
  bool contains(const FixedPosition& p) const {
    bool inside = true;
    for (std::size_t a = 0; a < 3; ++a)
      inside = inside && std::uint32_t(cut_coordinate(p.x[a]) - lo_[a]) < span_[a];
    return inside;
  }
  /// Whether any position of `brick` is inside.
  bool overlaps(const Brick& brick) const;
  /// A cut coordinate x is inside along an axis if x - lo < span with wrap-around; a span of 2^32
  /// is the whole axis.
  const std::array<std::uint32_t, 3>& lo() const { return lo_; }
  const std::array<std::uint64_t, 3>& span() const { return span_; }

 private:
  std::array<std::uint32_t, 3> lo_{};
  std::array<std::uint64_t, 3> span_{};
};

/// Throws InputError if a periodic axis of `box` is narrower than twice `width`: two images of one
/// particle would then be in the halo, and only one ghost is kept.
void check_halo_width(const Box& box, double width);

class HaloPlan {
 public:
  /// A peer of the exchange, and its ranges in send_rows() and in the ghosts.
  struct Peer {
    int rank = 0;
    Index first_sent = 0, sent = 0;
    Index first_ghost = 0, ghosts = 0;
  };

  explicit HaloPlan(Communicator communicator);
  ~HaloPlan();
  HaloPlan(const HaloPlan&) = delete;
  HaloPlan& operator=(const HaloPlan&) = delete;

  /// Rebuilds the plan from the positions of the locals, and sends the columns that ghosts copy.
  /// Afterwards the ghosts of `store` are exactly the particles of other ranks in the HaloRegion of
  /// this rank's brick, each once, with unchanged positions, ordered by rank of their owners and by
  /// row there. Every local must be inside this rank's brick (Migrator). A single rank has no
  /// ghosts. Collective. InputError as check_halo_width; Error for bricks of another number of
  /// ranks.
  void build(ParticleStore& store, const Box& box, const Decomposition& decomposition, double width,
             BufferPath path = BufferPath::host);
  /// A plan for a replicated domain: no peers and no ghosts, so that exchanges send nothing. Error
  /// as above for another number of ranks.
  void build(ParticleStore& store, const ReplicatedDecomposition& decomposition);

  std::span<const Peer> peers() const { return peers_; }
  /// Local rows to send, grouped by peer and ascending within each group, in executor memory.
  const std::int32_t* send_rows() const;
  Index sent() const { return peers_.empty() ? 0 : peers_.back().first_sent + peers_.back().sent; }
  Index ghosts() const { return ghosts_; }
  const Communicator& communicator() const { return communicator_; }

 private:
  /// Sets the peers and the rows to send.
  void choose_rows(const ParticleStore& store, const Box& box, const Decomposition& decomposition,
                   double width);
  /// Sets the rows to send to the peers whose halos are `regions`.
  void choose_rows_on_host(const ParticleStore& store, std::span<const HaloRegion> regions);
  void choose_rows_on_device(const ParticleStore& store, std::span<const HaloRegion> regions);
  /// Sends the numbers of rows, and sets the ranges of ghosts.
  void exchange_counts();
  HaloExchange& column_exchange(ParticleStore& store, BufferPath path);
  Communicator communicator_;
  std::unique_ptr<Messages> messages_;
  std::vector<Peer> peers_;
  std::vector<std::int32_t> rows_;                      // send_rows() of a host
  std::unique_ptr<detail::RowsInRegions> device_rows_;  // send_rows() of a device
  Index ghosts_ = 0;
  /// Sends columns in build(). Kept, so that its buffers are reused.
  std::unique_ptr<HaloExchange> column_exchange_;
};

class HaloExchange {
 public:
  /// Number of tags for users; the last three tags of Messages are reserved for HaloPlan and
  /// Migrator.
  static constexpr int tags = Messages::tags - 3;

  /// Plan and store must outlive the exchange. Exchanges that are active at the same time need
  /// different tags. Error unless 0 <= tag < tags.
  HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path, int tag = 0);

  /// Starts to send the locals' rows of `columns` to the ranks that have them as ghosts, all
  /// columns in one message per peer, and returns immediately. Before finish() the ghost rows of
  /// the columns must not be read; sent rows may be changed immediately. Error for a column without
  /// ghost rows.
  void post(std::span<const ColumnId> columns);
  /// post() in two parts. pack() copies the rows that are sent, in order with launches; send()
  /// waits for this copy, but not for kernels that were launched after it, and sends the rows.
  /// pack() may be called again before send(), and after the plan was built again. If messages are
  /// staged, send() waits for all launches.
  void pack(std::span<const ColumnId> columns);
  void send();
  /// An exchange of other records than rows of columns, in executor memory if
  /// sends_beside_kernels(). begin_records() returns memory for those of the rows
  /// HaloPlan::send_rows(), in this order, which launches may write until end_records(). Then
  /// send(), and finish_records(), which waits for the records of the ghosts and returns them in
  /// the order of their rows. Launches may read them until the next exchange.
  std::byte* begin_records(Index record_bytes);
  void end_records() { packed_.record(); }
  const std::byte* finish_records();
  /// Whether send() does not wait for kernels that were launched after pack().
  bool sends_beside_kernels() const {
    return path_ == BufferPath::ipc || path_ == BufferPath::direct_mpi;
  }
  /// Lets messages progress between pieces of work (Messages::progress).
  void progress() { messages_->progress(); }
  /// Waits until the ghost rows are complete (for launches from now on).
  void finish();

 private:
  friend class HaloPlan;
  /// A tag that users cannot choose (see `tags`).
  struct ReservedTag {
    int tag;
  };
  HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path, ReservedTag tag);
  /// MisuseError if an exchange is active or the plan is not that of the present ghosts.
  void check_plan() const;
  /// Waits until all messages have arrived.
  void finish_messages();

  const HaloPlan& plan_;
  ParticleStore& store_;
  BufferPath path_;
  int tag_;
  MessageBuffer outgoing_, incoming_;
  RecordedEvent packed_;
  std::unique_ptr<Messages> messages_;  // destroyed first: messages may be active after an error
  std::vector<ColumnId> columns_;
  Index record_bytes_ = 0;
  bool in_place_ = false;   // messages are received into the column itself
  bool under_way_ = false;  // between send() and finish()
  std::vector<OutgoingMessage> sends_;
  std::vector<IncomingMessage> receives_;
};

}  // namespace gsim
