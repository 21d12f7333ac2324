#include "src/modules/transport/tracking/migration.hpp"

#include <algorithm>
#include <cstring>

namespace gsim::transport {
namespace {

constexpr int migration_tag = 0;

/// Number of bytes of a particle that are sent: levels that are not in use are omitted.
std::size_t bytes_of(const SuspendedParticle& m) {
  const auto unused = static_cast<std::size_t>(max_levels - std::max(m.at.depth, 1));
  return sizeof(SuspendedParticle) - unused * sizeof(Level);
}
static_assert(offsetof(SuspendedParticle, at) + sizeof(Coordinates) == sizeof(SuspendedParticle));
static_assert(offsetof(Coordinates, level) + max_levels * sizeof(Level) == sizeof(Coordinates));

void pack(const SuspendedParticle& m, std::vector<std::byte>& to) {
  const auto* const first = reinterpret_cast<const std::byte*>(&m);
  to.insert(to.end(), first, first + bytes_of(m));
}

void unpack(std::span<const std::byte> from, std::vector<SuspendedParticle>& to) {
  constexpr std::size_t fixed_size = offsetof(SuspendedParticle, at) + offsetof(Coordinates, level);
  while (!from.empty()) {
    SuspendedParticle& m = to.emplace_back();
    std::memcpy(static_cast<void*>(&m), from.data(), fixed_size);  // bytes_of() reads the depth
    const std::size_t size = bytes_of(m);
    std::memcpy(static_cast<void*>(&m), from.data(), size);
    from = from.subspan(size);
  }
}

/// Particles of up to this number of bytes are sent with the header of a message; more are sent in
/// a message of their own while ranks compute.
constexpr std::size_t max_announced_bytes = std::size_t{1} << 15;

/// The header of a message to another rank.
struct Announcement {
  std::int64_t bytes = 0;      ///< number of bytes of the particles that are sent
  std::int64_t particles = 0;  ///< number of particles that leave this rank or wait on it
  std::int64_t has_failed = 0;
};

}  // namespace

Migration::Migration(const Communicator& communicator)
    : communicator_(communicator), messages_(communicator_.backend().make_messages()) {}

std::int64_t Migration::post(std::span<const SuspendedParticle> leaving, Index waiting,
                             bool has_failed) {
  const auto ranks = static_cast<std::size_t>(communicator_.size());
  outgoing_.assign(ranks, {});
  for (const SuspendedParticle& m : leaving) pack(m, outgoing_[static_cast<std::size_t>(m.owner)]);
  std::vector<std::vector<std::byte>> announced(ranks);
  std::vector<OutgoingMessage> outgoing;
  for (std::size_t r = 0; r < ranks; ++r) {
    const Announcement a{static_cast<std::int64_t>(outgoing_[r].size()),
                         static_cast<std::int64_t>(leaving.size()) + waiting, has_failed ? 1 : 0};
    const auto bytes = std::as_bytes(std::span(&a, 1));
    announced[r].assign(bytes.begin(), bytes.end());
    if (outgoing_[r].size() <= max_announced_bytes)
      announced[r].insert(announced[r].end(), outgoing_[r].begin(), outgoing_[r].end());
    else
      outgoing.push_back({static_cast<int>(r), outgoing_[r].data(), outgoing_[r].size()});
  }
  std::int64_t in_flight = 0;
  bool has_any_failed = false;
  incoming_ = communicator_.exchange(std::move(announced));
  std::vector<IncomingMessage> incoming;
  for (std::size_t r = 0; r < ranks; ++r) {
    Announcement a;
    std::memcpy(&a, incoming_[r].data(), sizeof a);
    in_flight += a.particles;
    has_any_failed = has_any_failed || a.has_failed != 0;
    incoming_[r].erase(incoming_[r].begin(), incoming_[r].begin() + sizeof a);
    const auto bytes = static_cast<std::size_t>(a.bytes);
    if (incoming_[r].size() == bytes) continue;
    incoming_[r].resize(bytes);
    incoming.push_back({static_cast<int>(r), incoming_[r].data(), bytes});
  }
  if (has_any_failed) return -1;
  messages_->post(migration_tag, outgoing, incoming);
  return in_flight;
}

std::vector<SuspendedParticle> Migration::finish() {
  messages_->finish();
  std::vector<SuspendedParticle> arrived;
  for (const std::vector<std::byte>& bytes : incoming_) unpack(bytes, arrived);
  return arrived;
}

}  // namespace gsim::transport
