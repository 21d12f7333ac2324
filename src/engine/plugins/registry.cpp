#include "gsim/engine/registry.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "gsim/core/text.hpp"

namespace gsim {

void Registry::add(Entry entry) {
  for (const Entry& e : entries_) {
    GSIM_VALIDATE(e.name != entry.name, fmt::format("module `{}` is registered twice", e.name),
                  "rename one of them");
  }
  entries_.push_back(std::move(entry));
}

void Registry::wrap(std::string_view name, const std::function<Factory(Factory)>& wrap) {
  const auto at = static_cast<std::size_t>(&find(name) - entries_.data());
  entries_[at].factory = wrap(std::move(entries_[at].factory));
}

void Registry::extend(Extension extension) {
  for (const Extension& e : extensions_) {
    GSIM_VALIDATE(e.kind != extension.kind || e.name != extension.name,
                  fmt::format("{} `{}` is registered twice", e.kind, e.name), "rename one of them");
  }
  extensions_.push_back(std::move(extension));
}

const Registry::Entry& Registry::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& e) { return e.name == name; });
  if (found != entries_.end()) return *found;
  std::vector<std::string> known;
  for (const Entry& e : entries_) known.push_back(e.name);
  const std::string closest = did_you_mean(name, known);
  std::string help = "this program has none";
  if (!known.empty()) help = fmt::format("known: {}", fmt::join(known, ", "));
  if (!closest.empty()) help = fmt::format("did you mean `{}`?", closest);
  throw InputError(fmt::format("unknown module `{}`; {}", excerpt(name), help));
}

}  // namespace gsim
