#include "example_values.hpp"

#include <string>

namespace gsim::md {
namespace {

void read_table(std::string_view example, std::string_view table, const Section::Describe& read) {
  try {
    ConfigFile::parse(std::string(example), "example").read([&](Section& top) {
      top.optional_table(table, read, "");
      top.ignore_unread();
    });
  } catch (const ConfigError&) {  // NOLINT(bugprone-empty-catch): a run of the example reports it
  }
}

bool has_kind(Section& s, std::string_view kind) {
  std::string chosen;
  s.optional("kind", chosen, {});
  return chosen == kind;
}

}  // namespace

void read_tables_of_kind(std::string_view example, std::string_view table, std::string_view key,
                         std::string_view kind,
                         const std::function<void(Section& outer, Section& entry)>& read) {
  read_table(example, table, [&](Section& outer) {
    const auto read_entry = [&](Section& entry, Index) {
      if (has_kind(entry, kind)) read(outer, entry);
    };
    outer.tables(
        key, [](Index) {}, read_entry, "");
  });
}

void read_tables_of_kind(std::string_view example, std::string_view table, std::string_view kind,
                         const Section::Describe& read) {
  read_table(example, table, [&](Section& s) {
    if (has_kind(s, kind)) read(s);
  });
}

}  // namespace gsim::md
