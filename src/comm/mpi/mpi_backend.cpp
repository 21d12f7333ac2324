#include "src/comm/mpi/mpi_backend.hpp"

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <thread>

#include "gsim/comm/communicator.hpp"
#include "gsim/comm/mpi_session.hpp"
#include "gsim/core/timer.hpp"
#include "src/comm/check_arguments.hpp"
#include "src/comm/mpi/mpi_check.hpp"
#include "src/comm/mpi/mpi_wait.hpp"

namespace gsim {
namespace detail {
namespace {

constexpr int data_tag = 1;
constexpr int first_message_tag =
    2;  // first tag of Messages; every MPI library allows tags up to 32767
constexpr int first_control_tag = first_message_tag + Messages::tags;
static_assert(first_control_tag + ControlMessages::channels <= 32768);

/// Calls call(offset, count) for consecutive pieces of at most `piece` bytes or elements, `total`
/// in all.
template <class Call>
void in_pieces(std::int64_t total, std::int64_t piece, Call call) {
  for (std::int64_t offset = 0; offset < total; offset += piece)
    call(offset, static_cast<int>(std::min(piece, total - offset)));
}

/// Pending sends and receives; their buffers must outlive wait(). During unwinding after an error
/// the pending requests are left to MPI_Abort, which the top-level handler calls.
class Requests {
 public:
  MPI_Request* add() { return &requests_.emplace_back(MPI_REQUEST_NULL); }
  void send(const void* data, std::int64_t bytes, std::int64_t piece, int to, MPI_Comm comm) {
    in_pieces(bytes, piece, [&](std::int64_t offset, int count) {
      check_mpi(MPI_Isend(static_cast<const std::byte*>(data) + offset, count, MPI_BYTE, to,
                          data_tag, comm, add()),
                "MPI_Isend");
    });
  }
  void receive(void* data, std::int64_t bytes, std::int64_t piece, int from, MPI_Comm comm) {
    in_pieces(bytes, piece, [&](std::int64_t offset, int count) {
      check_mpi(MPI_Irecv(static_cast<std::byte*>(data) + offset, count, MPI_BYTE, from, data_tag,
                          comm, add()),
                "MPI_Irecv");
    });
  }
  void wait() {
    wait_all(requests_);
    requests_.clear();
  }

 private:
  std::vector<MPI_Request> requests_;
};

/// Starts a non-blocking collective operation by start(request) and waits for its completion.
template <class Start>
void run_collective(const char* name, Start start) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(start(&request), name);
  wait_for(request);
}

MPI_Op to_mpi(ReduceOp op) {
  switch (op) {
    case ReduceOp::min:
      return MPI_MIN;
    case ReduceOp::max:
      return MPI_MAX;
    case ReduceOp::sum:
      break;
  }
  return MPI_SUM;
}

std::vector<std::vector<std::byte>> buffers_of(const std::vector<std::int64_t>& sizes) {
  std::vector<std::vector<std::byte>> parts;
  parts.reserve(sizes.size());
  for (const std::int64_t size : sizes) parts.emplace_back(static_cast<std::size_t>(size));
  return parts;
}

/// Determines how ranks share processors. Collective.
NodeSharing detect_sharing(MPI_Comm communicator, int size) {
  const RankPlacement mine = this_rank_placement();
  std::vector<RankPlacement> all(static_cast<std::size_t>(size));
  run_collective("MPI_Iallgather", [&](MPI_Request* request) {
    return MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE,
                          communicator, request);
  });
  return find_oversubscription(all);
}

}  // namespace

MpiBackend::MpiBackend(MPI_Comm communicator, std::int64_t piece) : piece_(piece) {
  check_mpi(MPI_Comm_dup(communicator, &communicator_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(communicator_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(communicator_, &size_), "MPI_Comm_size");
  if (size_ > 1) sharing_ = detect_sharing(communicator_, size_);
}

MpiBackend::~MpiBackend() {
  // After an error some control messages may not have been received: MPI may read their buffers
  // until the process ends, so they are never freed.
  static auto* const unreceived =
      new std::list<SentControl>;  // NOLINT(bugprone-unhandled-exception-at-new)
  unreceived->splice(unreceived->end(), sent_controls_);
  if (communicator_ != MPI_COMM_NULL && mpi_is_initialized()) MPI_Comm_free(&communicator_);
}

void MpiBackend::barrier() {
  const WaitScope waiting;
  run_collective("MPI_Ibarrier",
                 [&](MPI_Request* request) { return MPI_Ibarrier(communicator_, request); });
}

void MpiBackend::broadcast(std::span<std::byte> bytes, int root) {
  const WaitScope waiting;
  check_root(root, size_);
  in_pieces(static_cast<std::int64_t>(bytes.size()), piece_, [&](std::int64_t offset, int count) {
    run_collective("MPI_Ibcast", [&](MPI_Request* request) {
      return MPI_Ibcast(bytes.data() + offset, count, MPI_BYTE, root, communicator_, request);
    });
  });
}

void MpiBackend::allreduce(std::span<std::int64_t> values, ReduceOp op) {
  const WaitScope waiting;
  const auto count = static_cast<std::int64_t>(values.size());
  in_pieces(count, std::max<std::int64_t>(1, piece_ / 8), [&](std::int64_t offset, int n) {
    run_collective("MPI_Iallreduce", [&](MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, values.data() + offset, n, MPI_INT64_T, to_mpi(op),
                            communicator_, request);
    });
  });
}

std::vector<std::int64_t> MpiBackend::allgather_sizes(std::size_t mine) {
  const auto size = static_cast<std::int64_t>(mine);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(size_));
  run_collective("MPI_Iallgather", [&](MPI_Request* request) {
    return MPI_Iallgather(&size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, communicator_,
                          request);
  });
  return sizes;
}

std::vector<std::vector<std::byte>> MpiBackend::allgather(std::span<const std::byte> mine) {
  const WaitScope waiting;
  const auto sizes = allgather_sizes(mine.size());
  auto parts = buffers_of(sizes);
  const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  if (total > piece_) {  // too long for one call: every rank broadcasts in turn
    parts[static_cast<std::size_t>(rank_)].assign(mine.begin(), mine.end());
    for (int r = 0; r < size_; ++r) broadcast(parts[static_cast<std::size_t>(r)], r);
    return parts;
  }
  std::vector<int> counts(sizes.begin(), sizes.end()), offsets(sizes.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, offsets.begin() + 1);
  std::vector<std::byte> all(static_cast<std::size_t>(total));
  run_collective("MPI_Iallgatherv", [&](MPI_Request* request) {
    return MPI_Iallgatherv(mine.data(), static_cast<int>(mine.size()), MPI_BYTE, all.data(),
                           counts.data(), offsets.data(), MPI_BYTE, communicator_, request);
  });
  for (std::size_t r = 0; r < parts.size(); ++r)
    std::copy_n(all.begin() + offsets[r], counts[r], parts[r].begin());
  return parts;
}

std::vector<std::vector<std::byte>> MpiBackend::gather(std::span<const std::byte> mine, int root) {
  const WaitScope waiting;
  check_root(root, size_);
  const auto my_size = static_cast<std::int64_t>(mine.size());
  std::vector<std::int64_t> sizes(rank_ == root ? static_cast<std::size_t>(size_) : 0);
  run_collective("MPI_Igather", [&](MPI_Request* request) {
    return MPI_Igather(&my_size, 1, MPI_INT64_T, sizes.data(), 1, MPI_INT64_T, root, communicator_,
                       request);
  });
  auto parts = buffers_of(sizes);
  Requests requests;
  for (int r = 0; rank_ == root && r < size_; ++r) {
    auto& part = parts[static_cast<std::size_t>(r)];
    if (r == root)
      part.assign(mine.begin(), mine.end());
    else
      requests.receive(part.data(), sizes[static_cast<std::size_t>(r)], piece_, r, communicator_);
  }
  if (rank_ != root) requests.send(mine.data(), my_size, piece_, root, communicator_);
  requests.wait();
  return parts;
}

std::vector<std::vector<std::byte>> MpiBackend::exchange(
    std::vector<std::vector<std::byte>> outgoing) {
  const WaitScope waiting;
  check_exchange(outgoing.size(), size_);
  std::vector<std::int64_t> out_sizes, in_sizes(static_cast<std::size_t>(size_));
  for (const auto& part : outgoing) out_sizes.push_back(static_cast<std::int64_t>(part.size()));
  run_collective("MPI_Ialltoall", [&](MPI_Request* request) {
    return MPI_Ialltoall(out_sizes.data(), 1, MPI_INT64_T, in_sizes.data(), 1, MPI_INT64_T,
                         communicator_, request);
  });
  in_sizes[static_cast<std::size_t>(rank_)] = 0;  // moved below instead of received
  auto arrived = buffers_of(in_sizes);
  Requests requests;
  // Starting with the next rank balances the load; receives are posted first.
  for (int step = 1; step < size_; ++step) {
    const auto r = static_cast<std::size_t>((rank_ + step) % size_);
    requests.receive(arrived[r].data(), in_sizes[r], piece_, static_cast<int>(r), communicator_);
  }
  for (int step = 1; step < size_; ++step) {
    const auto r = static_cast<std::size_t>((rank_ + step) % size_);
    requests.send(outgoing[r].data(), out_sizes[r], piece_, static_cast<int>(r), communicator_);
  }
  arrived[static_cast<std::size_t>(rank_)] = std::move(outgoing[static_cast<std::size_t>(rank_)]);
  requests.wait();
  return arrived;
}

void MpiBackend::shift(const void* outgoing, void* incoming, std::size_t bytes) {
  const WaitScope waiting;
  const auto count = static_cast<std::int64_t>(bytes);
  Requests requests;
  requests.receive(incoming, count, piece_, (rank_ + size_ - 1) % size_, communicator_);
  requests.send(outgoing, count, piece_, (rank_ + 1) % size_, communicator_);
  requests.wait();
}

void MpiBackend::send_control(int peer, int channel, std::span<const std::byte> message) {
  std::erase_if(sent_controls_, [](SentControl& sent) {
    int is_sent = 0;
    check_mpi(MPI_Test(&sent.request, &is_sent, MPI_STATUS_IGNORE), "MPI_Test");
    return is_sent != 0;
  });
  SentControl& sent = sent_controls_.emplace_back();
  sent.bytes.assign(message.begin(), message.end());
  check_mpi(MPI_Isend(sent.bytes.data(), static_cast<int>(sent.bytes.size()), MPI_BYTE, peer,
                      first_control_tag + channel, communicator_, &sent.request),
            "MPI_Isend");
}

bool MpiBackend::try_receive_control(int peer, int channel, std::span<std::byte> message) {
  int has_arrived = 0;
  check_mpi(
      MPI_Iprobe(peer, first_control_tag + channel, communicator_, &has_arrived, MPI_STATUS_IGNORE),
      "MPI_Iprobe");
  if (has_arrived == 0) return false;
  check_mpi(MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_BYTE, peer,
                     first_control_tag + channel, communicator_, MPI_STATUS_IGNORE),
            "MPI_Recv");
  return true;
}

void MpiBackend::flush() {
  const WaitScope waiting;
  for (SentControl& sent : sent_controls_) wait_for(sent.request);
  sent_controls_.clear();
}

int MpiBackend::node_leader() {
  const WaitScope waiting;
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node),
            "MPI_Comm_split_type");
  int leader = rank_;
  run_collective("MPI_Ibcast", [&](MPI_Request* request) {  // rank 0 of `node` is the lowest
    return MPI_Ibcast(&leader, 1, MPI_INT, 0, node, request);
  });
  MPI_Comm_free(&node);
  return leader;
}

bool MpiBackend::is_oversubscribed() {
  if (sharing_.oversubscribed) return true;
  if (size_ == 1 || sharing_.nodes > 1) return false;
  std::byte overloaded{rank_ == 0 && is_node_overloaded()};
  broadcast({&overloaded, 1}, 0);
  return overloaded != std::byte{0};
}

namespace {

class MpiMessages final : public Messages {
 public:
  MpiMessages(MPI_Comm communicator, std::int64_t piece, int size)
      : communicator_(communicator), piece_(piece), size_(size) {}
  // Requests that are pending during unwinding after an error are left to MPI_Abort.

  void post(int tag, std::span<const OutgoingMessage> outgoing,
            std::span<const IncomingMessage> incoming) override {
    check_post(tag, outgoing, incoming, size_, under_way_);
    under_way_ = true;
    tag_ = tag;
    requests_.clear();
    expected_.clear();
    for (const IncomingMessage& m :
         incoming)  // receives first, so that MPI need not buffer messages as unexpected ones
      in_pieces(static_cast<std::int64_t>(m.bytes), piece_, [&](std::int64_t offset, int count) {
        expected_.push_back({m.peer, count});
        check_mpi(MPI_Irecv(static_cast<std::byte*>(m.data) + offset, count, MPI_BYTE, m.peer,
                            first_message_tag + tag, communicator_,
                            &requests_.emplace_back(MPI_REQUEST_NULL)),
                  "MPI_Irecv");
      });
    for (const OutgoingMessage& m : outgoing)
      in_pieces(static_cast<std::int64_t>(m.bytes), piece_, [&](std::int64_t offset, int count) {
        check_mpi(MPI_Isend(static_cast<const std::byte*>(m.data) + offset, count, MPI_BYTE, m.peer,
                            first_message_tag + tag, communicator_,
                            &requests_.emplace_back(MPI_REQUEST_NULL)),
                  "MPI_Isend");
      });
    statuses_.resize(requests_.size());
  }

  void progress() override {
    // One probe advances all messages of the library and leaves requests and statuses unchanged.
    int arrived = 0;
    if (under_way_)
      check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, communicator_, &arrived, MPI_STATUS_IGNORE),
                "MPI_Iprobe");
  }

  void finish() override {
    if (!under_way_) return;
    const WaitScope waiting;
    under_way_ = false;
    wait_all(requests_, statuses_);
    for (std::size_t i = 0; i < expected_.size(); ++i) {
      int count = 0;
      check_mpi(MPI_Get_count(&statuses_[i], MPI_BYTE, &count), "MPI_Get_count");
      if (count != expected_[i].bytes)
        throw_wrong_length(expected_[i].peer, tag_, static_cast<std::size_t>(count),
                           static_cast<std::size_t>(expected_[i].bytes));
    }
  }

 private:
  struct Expected {
    int peer, bytes;
  };
  MPI_Comm communicator_;
  std::int64_t piece_;
  int size_;
  int tag_ = 0;
  bool under_way_ = false;
  std::vector<MPI_Request> requests_;  // receives, followed by sends
  std::vector<MPI_Status> statuses_;
  std::vector<Expected> expected_;  // one element per receive
};

}  // namespace

std::unique_ptr<Messages> MpiBackend::make_messages() {
  return std::make_unique<MpiMessages>(communicator_, piece_, size_);
}

void MpiBackend::abort(int exit_code) {
  std::fflush(nullptr);
  // Launchers forward output while ranks are running and may drop it afterwards.
  std::this_thread::sleep_for(std::chrono::milliseconds(250));
  // On a duplicate of MPI_COMM_WORLD, MPI_Abort of MPICH 4.0.2 ends only the calling rank.
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::_Exit(exit_code);
}

std::string MpiBackend::describe() const {
  return std::to_string(size_) + (size_ == 1 ? " rank, " : " ranks, ") +
         MpiSession::library_version();
}

}  // namespace detail

Communicator Communicator::world() {
  if (!detail::mpi_is_initialized())
    throw CommError(
        "internal error: Communicator::world() is called outside the lifetime of MpiSession; "
        "please report it");
  return Communicator(std::make_shared<detail::MpiBackend>(MPI_COMM_WORLD));
}

}  // namespace gsim
