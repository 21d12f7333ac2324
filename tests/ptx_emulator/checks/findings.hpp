#pragma once
// What the checks have found: messages, numbers by kind and the summary at exit.

#include <cstdint>
#include <map>
#include <string>

namespace ptxemu {

/// Collects the findings of the process.
class Findings {
 public:
  static Findings& instance();

  /// Counts a finding. `kind` is a plural for the summary, such as "races".
  void add(const std::string& kind) { ++counts_[kind]; }
  /// Counts a finding at a place. Returns whether its message is to be printed: it is the first one
  /// there, and not too many places have been printed.
  bool add_at(const std::string& kind, const std::string& place);
  /// Prints a message to standard error.
  static void print(const std::string& message);
  /// Number of findings of a kind.
  std::uint64_t count(const std::string& kind) const;
  /// Prints the numbers by kind to standard error, if there is any.
  void print_summary() const;
  bool empty() const { return counts_.empty(); }

 private:
  std::map<std::string, std::uint64_t> counts_;
  std::map<std::string, std::uint64_t> places_;  ///< number of findings by place
};

}  // namespace ptxemu
