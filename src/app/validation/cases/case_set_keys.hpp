#pragma once
// The keys of a validation file: texts and templates as the file has them, before they are
// evaluated for each row (case_set.cpp).

#include <string>
#include <vector>

#include "case_set.hpp"
#include "gsim/config/section.hpp"

namespace gsim::app {

/// A table [[value]] (ValidationValue). Strings are templates.
struct ValueText {
  std::string name, formula, reference, reference_error, tolerance, floor;
  double relative_tolerance = 0, quick_error = 0, full_error = 0;
  bool printed = false;     ///< the tolerance includes half a unit of the reference's last digit
  bool is_sampled = false;  ///< has [value.largest_error]: quick_error and full_error
  SourceLocation formula_at, reference_at, at;  ///< `at`: of `name`
};

/// The keys of a file that are evaluated for each row (ValidationCase). Strings are templates,
/// except for columns, rows and foreign_file.
struct SetText {
  std::vector<std::string> columns, rows;
  std::string config, name, reference, published, scale;
  std::string foreign_file;              // name of a third-party file that gsim does not distribute
  std::vector<std::string> quick, full;  // settings "key=value"
  double tolerance = 0;
  std::vector<ValueText> values;
  std::vector<ValidationRun> runs;
  SourceLocation rows_at, config_at, reference_at;
};

/// Reads a validation file: keys with the same value for all rows into `set`, templates and rows
/// into `text`. A malformed file is a ConfigError with file and line.
void read_set(ConfigFile& file, CaseSet& set, SetText& text);

/// Describes all keys of a validation file.
void describe_set(Section& top, CaseSet& set, SetText& text);

}  // namespace gsim::app
