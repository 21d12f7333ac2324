#pragma once
// Ghosts: every rank gets copies of all particles near its brick, so that it can compute what its
// own particles feel. The plan (who sends which rows to whom) is rebuilt rarely; the exchange runs
// every step, with work between post() and finish().

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
#include "gsim/exec/array.hpp"

namespace gsim {

class HaloExchange;

/// The positions within `width` of a brick, measured across the box's faces along each axis: what
/// the brick's rank wants to see. It contains all points within the Cartesian distance `width`.
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
  bool meets(const Brick& brick) const;

 private:
  // Inside: x - lo < span, wrapping; a span of 2^32 is everything.
  std::array<std::uint32_t, 3> lo_{};
  std::array<std::uint64_t, 3> span_{};
};

/// Throws InputError when a periodic axis of `box` is narrower than twice `width`: two images of
/// one particle would then be near, and a ghost is only one.
void check_halo_width(const Box& box, double width);

class HaloPlan {
 public:
  /// A rank that this one exchanges with, and its part of the rows: of send_rows(), and of the
  /// ghosts.
  struct Peer {
    int rank = 0;
    Index first_sent = 0, sent = 0;
    Index first_ghost = 0, ghosts = 0;
  };

  explicit HaloPlan(Communicator communicator);
  ~HaloPlan();
  HaloPlan(const HaloPlan&) = delete;
  HaloPlan& operator=(const HaloPlan&) = delete;

  /// Decides anew, from the locals' positions, and brings the columns that ghosts copy. Afterwards
  /// `store` holds as ghosts exactly the particles of other ranks in the HaloRegion of this rank's
  /// brick, each once, with unchanged positions; they stand in the order of their owners' ranks,
  /// and of their rows there. Every local must be inside this rank's brick (Migrator). One rank has
  /// no ghosts. All ranks call it together. InputError as check_halo_width; Error for the bricks of
  /// another number of ranks.
  void build(ParticleStore& store, const Box& box, const Decomposition& decomposition, double width,
             BufferPath path = BufferPath::host);
  /// The plan where the domain is replicated: no peers and no ghosts, so that exchanges with it
  /// send nothing. Error as above for another number of ranks.
  void build(ParticleStore& store, const ReplicatedDecomposition& decomposition);

  std::span<const Peer> peers() const { return peers_; }
  /// Local rows to send, peer after peer, in executor memory; ascending for each peer.
  const std::int32_t* send_rows() const;
  Index sent() const { return static_cast<Index>(rows_.size()); }
  Index ghosts() const { return ghosts_; }
  const Communicator& communicator() const { return communicator_; }

 private:
  void choose_rows(const ParticleStore& store, const Box& box, const Decomposition& decomposition,
                   double width);
  void exchange_counts();
  HaloExchange& bringing(ParticleStore& store, BufferPath path);
  Communicator communicator_;
  std::unique_ptr<Messages> messages_;
  std::vector<Peer> peers_;
  std::vector<std::int32_t> rows_;                // on the host
  std::vector<Array<std::int32_t>> device_rows_;  // none or one, for a CUDA executor
  Index ghosts_ = 0;
  std::unique_ptr<HaloExchange>
      bringing_;  // what build() brings columns with: it keeps its buffers
};

class HaloExchange {
 public:
  /// Tags for users; the last three of Messages are HaloPlan's and Migrator's own.
  static constexpr int tags = Messages::tags - 3;

  /// For a plan and a store that outlive it. Exchanges that are under way at the same time need
  /// different tags. Error unless 0 <= tag < tags.
  HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path, int tag = 0);

  /// Sends the locals' rows of `columns` to where they are ghosts, all columns in one message a
  /// peer, and returns at once. The columns' ghost rows must not be read, and positions or other
  /// sent rows may change again, before finish(). Error for a column without ghost rows.
  void post(std::span<const ColumnId> columns);
  /// To be called between pieces of the work in between (Messages::progress).
  void progress() { messages_->progress(); }
  /// Returns when the ghost rows are there (for launches from now on).
  void finish();

 private:
  friend class HaloPlan;
  struct ReservedTag {
    int tag;
  };
  HaloExchange(const HaloPlan& plan, ParticleStore& store, BufferPath path, ReservedTag tag);

  const HaloPlan& plan_;
  ParticleStore& store_;
  BufferPath path_;
  int tag_;
  MessageBuffer outgoing_, incoming_;
  std::unique_ptr<Messages> messages_;  // goes first: messages may be under way after an error
  std::vector<ColumnId> columns_;
  Index record_bytes_ = 0;
  bool in_place_ = false, under_way_ = false;
  std::vector<OutgoingMessage> sends_;
  std::vector<IncomingMessage> receives_;
};

}  // namespace gsim
