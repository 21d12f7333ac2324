#pragma once
// Clear messages for syntax errors that toml++ reports.

#include <string>
#include <string_view>

#include "source.hpp"

namespace gsim::config_detail {

struct TomlMessage {
  Place place;
  std::string problem;
  std::string suggestion = {};
};

/// Replaces toml++'s `description` of a syntax error at `place`; an unknown description is kept,
/// without "Error while parsing".
TomlMessage explain_toml(std::string_view description, const Place& place);

}  // namespace gsim::config_detail
