#include "checks/findings.hpp"

#include <cstdio>

namespace ptxemu {
namespace {
constexpr std::size_t max_messages = 100;
}  // namespace

Findings& Findings::instance() {
  static Findings* const findings = new Findings;  // used at exit after destructors
  return *findings;
}

bool Findings::add_at(const std::string& kind, const std::string& place) {
  add(kind);
  return places_[place]++ == 0 && places_.size() <= max_messages;
}

void Findings::print(const std::string& message) {
  std::fprintf(stderr, "emulated GPU: %s\n", message.c_str());
}

std::uint64_t Findings::count(const std::string& kind) const {
  const auto found = counts_.find(kind);
  return found == counts_.end() ? 0 : found->second;
}

void Findings::print_summary() const {
  if (counts_.empty()) return;
  std::string text;
  for (const auto& [kind, count] : counts_)
    text += (text.empty() ? "" : ", ") + kind + ": " + std::to_string(count);
  std::fprintf(stderr, "emulated GPU: findings by kind: %s", text.c_str());
  if (!places_.empty())
    std::fprintf(stderr, " (races of %llu pairs of instructions)",
                 static_cast<unsigned long long>(places_.size()));
  std::fprintf(stderr, "\n");
}

}  // namespace ptxemu
