#pragma once
// Keys that several kinds of [start] share.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// Records that `key` determines the box.
inline void set_box(const Section& s, const char* key, StartConfig& config) {
  config.box_key = key;
  config.box_at = s.location(key);
}

/// Runs `body`; its InputError becomes a ConfigError at `key`.
template <class Body>
auto at_key(const Section& s, const char* key, const Body& body) {
  return at_place(s.location(key), body);
}

/// The key `boundaries`: periodic along all axes where it is absent.
inline std::array<Boundary, 3> describe_boundaries(Section& s) {
  std::vector<std::string> words{"periodic", "periodic", "periodic"};
  s.optional("boundaries", words,
             {.doc = "along x, y and z: \"periodic\", or \"open\": atoms may leave, up to half a "
                     "box beyond either face",
              .min_size = 3,
              .max_size = 3});
  std::array<Boundary, 3> boundaries{};
  if (s.describing()) return boundaries;
  for (std::size_t a = 0; a < 3; ++a) {
    if (words[a] != "periodic" && words[a] != "open")
      s.fail("boundaries", fmt::format("`{}` is no boundary", excerpt(words[a])),
             "write \"periodic\" or \"open\"");
    boundaries[a] = words[a] == "open" ? Boundary::open : Boundary::periodic;
  }
  return boundaries;
}

}  // namespace gsim::md
