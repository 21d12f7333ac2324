#pragma once
// What toml++ complains about, in plain words.

#include <string>
#include <string_view>

#include "source.hpp"

namespace gsim::config_detail {

struct TomlMessage {
  Place place;
  std::string problem;
  std::string suggestion = {};
};

/// Rewrites toml++'s `description` of a syntax error at `place`; one that is not known here stays
/// as it is, without "Error while parsing".
TomlMessage explain_toml(std::string_view description, const Place& place);

}  // namespace gsim::config_detail
