#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace gsim::config_detail {

/// Largest text that unpacking may give: ranks hand texts to each other in messages of 31-bit size,
/// and results keep them.
inline constexpr std::size_t most_unpacked = std::size_t{1} << 30;

inline bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

/// Unpacks a gzip file (RFC 1952), of several members too. Returns why that cannot be done, a
/// clause about the file, or an empty string.
std::string gunzip(std::string_view packed, std::string& text, std::size_t most = most_unpacked);

/// The first `most` bytes of the file at `path`, unpacked where it is a gzip file; fewer where it
/// is shorter or damaged, none where it cannot be opened.
std::string unpacked_beginning(const std::string& path, std::size_t most);

}  // namespace gsim::config_detail
