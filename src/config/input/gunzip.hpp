#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gsim::config_detail {

/// Largest unpacked text: texts are sent to other ranks in messages of 31-bit size and stored with
/// the results.
inline constexpr std::size_t max_unpacked_bytes = std::size_t{1} << 30;

inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Unpacks a gzip file (RFC 1952), which may have several members. Returns an empty
/// string, or the reason why that is impossible, as a clause about the file. (zlib's gzread() is
/// not used: it accepts other bytes after the last member.)
std::string gunzip(std::string_view packed, std::string& text,
                   std::size_t max_bytes = max_unpacked_bytes);

/// The first `max_bytes` bytes of the file at `path`, unpacked where it is a gzip file; fewer where
/// it is shorter or damaged, none where it cannot be opened.
std::string unpacked_beginning(const std::string& path, std::size_t max_bytes);

}  // namespace gsim::config_detail
