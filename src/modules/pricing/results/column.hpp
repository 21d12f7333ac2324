#pragma once
// Columns of result tables.

#include <vector>

namespace gsim::pricing {

/// A column of a table: the value get(item) of each item.
template <class T, class List, class Get>
std::vector<T> column(const List& list, Get&& get) {
  std::vector<T> values;
  values.reserve(list.size());
  for (const auto& item : list) values.push_back(static_cast<T>(get(item)));
  return values;
}

}  // namespace gsim::pricing
