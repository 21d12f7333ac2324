#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gsim::config_detail {

/// Largest size of an unpacked text in bytes. Texts are sent to other ranks in messages, whose
/// sizes have 31 bits, and are stored with the results.
inline constexpr std::size_t max_unpacked_bytes = std::size_t{1} << 30;

inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Unpacks the bytes of a gzip file (RFC 1952), which may have several members, into `text`.
/// Returns an empty string on success, otherwise the reason of the failure ("its gzip data end too
/// early", where "its" refers to the file). zlib's gzread() is not used, because it accepts other
/// bytes after the last member.
std::string gunzip(std::string_view packed, std::string& text,
                   std::size_t max_bytes = max_unpacked_bytes);

/// The first `max_bytes` bytes of the file at `path`, unpacked where it is a gzip file; fewer where
/// it is shorter or damaged, none where it cannot be opened.
std::string unpacked_beginning(const std::string& path, std::size_t max_bytes);

}  // namespace gsim::config_detail
