#pragma once
// The keys of a validation file: texts and templates as the file has them, before they are
// evaluated for each row (case_set.cpp).

#include <string>
#include <vector>

#include "case_set.hpp"
#include "gsim/config/section.hpp"

namespace gsim::app {

/// A table [[value]]. Strings are templates.
struct ValueText {
  std::string name, formula, reference, reference_error, tolerance, floor;
  double relative_tolerance = 0, quick_error = 0, full_error = 0;
  bool printed = false, is_sampled = false;
  SourceLocation formula_at, reference_at, at;
};

/// The keys of a file that are not evaluated yet. Strings are templates, except for columns and
/// rows.
struct SetText {
  std::vector<std::string> columns, rows;
  std::string config, name, reference, published, scale, foreign_file;
  std::vector<std::string> quick, full;  // settings "key=value"
  double tolerance = 0;
  std::vector<ValueText> values;
  std::vector<ValidationRun> runs;
  SourceLocation rows_at, config_at, reference_at;
};

/// Reads a validation file into `set` (what needs no row) and `text`. ConfigError with the place.
void read_set(ConfigFile& file, CaseSet& set, SetText& text);

/// Describes all keys of a validation file.
void describe_set(Section& top, CaseSet& set, SetText& text);

}  // namespace gsim::app
