#pragma once
// Which keys of two configurations have different values.

#include <string>
#include <string_view>
#include <vector>

namespace gsim {

/// A key whose values differ.
struct KeyDifference {
  /// "market.assets.SPX.spot"; a table in an array by its `id` or `name`, or its number from 1:
  /// "trades[SPX-C-100].strike".
  std::string key;
  std::string first, second;  ///< the values as TOML; empty: the key is absent
};

/// The differences of two configurations in the form of ConfigFile::resolved() (one key on each
/// line): those of keys in the order of the first, then keys that only the second has.
std::vector<KeyDifference> key_differences(std::string_view first, std::string_view second);

}  // namespace gsim
