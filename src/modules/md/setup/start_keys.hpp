#pragma once
// Keys that several kinds of [start] share.

#include <array>
#include <memory>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/text.hpp"
#include "src/modules/md/setup/start_config.hpp"

namespace gsim::md {

/// Records the key that determines the box, and its location, for messages about the box.
inline void set_box_key(const Section& s, const char* key, StartConfig& config) {
  config.box_key = key;
  config.box_location = s.location(key);
}

/// Runs `body`; its InputError becomes a ConfigError at `key`.
template <class Body>
auto locate_errors_at_key(const Section& s, const char* key, const Body& body) {
  return locate_errors(s.location(key), body);
}

/// The values of the key `boundaries`, along x, y and z.
using BoundaryNames = std::array<std::string, 3>;

inline void describe_boundaries(Section& s, BoundaryNames& names) {
  names = {"periodic", "periodic", "periodic"};
  s.optional("boundaries", names,
             {.doc = "boundary along x, y and z: \"periodic\" or \"open\", where atoms may move up "
                     "to half a box length beyond either face"});
}

/// The boundaries with these names. Throws ConfigError for an unknown name.
inline std::array<Boundary, 3> boundaries_of(const Section& s, const BoundaryNames& names) {
  std::array<Boundary, 3> boundaries{};
  for (std::size_t a = 0; a < 3; ++a) {
    if (names[a] != "periodic" && names[a] != "open")
      s.fail("boundaries", fmt::format("`{}` is no boundary", excerpt(names[a])),
             "write \"periodic\" or \"open\"");
    boundaries[a] = names[a] == "open" ? Boundary::open : Boundary::periodic;
  }
  return boundaries;
}

/// A kind of [start]: `describe` declares its keys, `validate` checks their values, reads the files
/// that they name, and completes the configuration.
template <class Keys>
Section::Alternative start_kind(const char* name, const char* doc,
                                void (*describe)(Section&, Keys&),
                                void (*validate)(const Section&, const Keys&, StartConfig&),
                                StartConfig& config) {
  const auto keys = std::make_shared<Keys>();
  return {name, doc,
          validated([=](Section& s) { describe(s, *keys); },
                    [=, &config](const Section& s) { validate(s, *keys, config); })};
}

}  // namespace gsim::md
