#pragma once
// Name -> factory of modules. The application fills one; there is no global registry.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/engine/module.hpp"

namespace gsim {

class Registry {
 public:
  using Factory = std::function<std::unique_ptr<Module>()>;
  struct Entry {
    std::string name;
    std::string doc;  ///< one line for `gsim modules` and `gsim info`
    Factory factory;
    /// A whole configuration that runs within seconds: what `gsim plugin check` runs.
    std::string example = {};
    std::string plugin = {};  ///< that brought it: the loader says; empty for those of gsim
  };
  /// A duplicate name is an InputError.
  void add(Entry entry);
  /// An unknown name is an InputError with the nearest known one.
  const Entry& find(std::string_view name) const;
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

}  // namespace gsim
