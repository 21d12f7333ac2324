#pragma once
// Small messages, by value, that are looked for and never waited for: how ranks tell each other
// where device memory may be written and when it has been (device_links.hpp).

#include <cstddef>
#include <memory>
#include <span>

#include "gsim/comm/transport.hpp"

namespace gsim::detail {

class DeviceLinks;

/// What a Transport can do besides. Notes of one channel between two ranks arrive in order; all
/// have the same size.
class Notes {
 public:
  /// Channels are 0 <= channel < channels: two for each tag of Messages, and one.
  static constexpr int channels = 2 * Messages::tags + 1;

  virtual ~Notes() = default;
  /// Returns at once; `note` may change.
  virtual void send_note(int peer, int channel, std::span<const std::byte> note) = 0;
  /// The next note from `peer`, if there is one yet.
  virtual bool take_note(int peer, int channel, std::span<std::byte> note) = 0;
  /// To be called while a note from `peer` is waited for: throws where it is known that none will
  /// come any more.
  virtual void expect_note(int peer, int channel) = 0;
  /// Returns when all that was sent is with its receivers. For an orderly end, once they have taken
  /// it; there may be none after an error.
  virtual void settle() = 0;

  /// What link_devices() has made; null before.
  std::shared_ptr<DeviceLinks> device_links;
};

/// The transport's; null when it has none.
inline Notes* notes_of(Transport& transport) { return dynamic_cast<Notes*>(&transport); }

}  // namespace gsim::detail
