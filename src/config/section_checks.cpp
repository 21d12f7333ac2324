// Section: tables whose errors were noted instead of thrown.

#include "reading.hpp"

namespace gsim {
namespace {

void consume(config_detail::Node& node) {
  node.consumed = true;
  for (const auto& child : node.children) consume(*child);
}

}  // namespace

void Section::ignore_unread() const {
  if (node_ != nullptr) consume(*node_);
}

}  // namespace gsim
