#pragma once
// Validation cases: published values, kept as data in validation/<module>/*.toml, and the
// configuration that computes each. One file is one set: a table of rows with columns, and a
// configuration template in which {column} is replaced by the entry of the row.
//
// There are two kinds of set. With `estimate`, a row is one estimate that is sampled until its
// standard error is small enough. With [[value]] tables, a row is one run (or several: [[run]]) of
// given length, and any number of its values are compared.

#include <string>
#include <vector>

#include "column_functions.hpp"
#include "gsim/core/types.hpp"

namespace gsim::app {

/// One value of a run and its reference.
struct ValidationValue {
  std::string name;     ///< "pressure"
  std::string formula;  ///< expression.hpp
  double reference = 0;
  double reference_error = 0;  ///< standard error of the reference, where it was sampled too
  double tolerance = 0;        ///< accuracy of the reference, or bias of the method
  double floor = 0;            ///< accepted difference, independent of the error
  bool is_sampled = false;     ///< compared by standard errors; else by the tolerance
  /// Largest standard error of a sampled value with which the comparison is meaningful.
  double quick_error = 0, full_error = 0;
};

/// One of several runs of a case: the case's configuration with changed settings. All runs have the
/// same seed.
struct ValidationRun {
  std::string name;
  std::vector<std::string> settings;  ///< "key=value", placeholders filled in
};

/// One published number and the run that reproduces it; or a run and all its values.
struct ValidationCase {
  std::string name;    ///< "call K=100"
  std::string config;  ///< TOML, placeholders filled in
  /// Number of empty lines before `config`, so that its line numbers are those of the file.
  int lines_before = 0;
  double reference = 0;  ///< reference value of the estimate
  double published = 0;  ///< the figure as printed, where the file has one
  bool has_published = false;
  double tolerance = 0;  ///< accuracy of the reference
  /// A size such as the spot price, of which the error target of values near 0 is a fraction.
  double scale = 0;
  /// Settings "key=value" that --quick and --full add to the configuration.
  std::vector<std::string> quick_settings, full_settings;
  std::vector<ValidationValue> values;  ///< if not empty, they replace `reference`
  std::vector<ValidationRun> runs;      ///< runs of the case; none: one run without a name
};

/// How a discretisation bias is bounded: the run is repeated at `coarser` times the step. With
/// `extrapolate`, a third run at twice the finest step gives the estimate with the bias' leading
/// term removed (Talay and Tubaro 1990).
struct Refinement {
  std::vector<std::string> keys;  ///< configuration keys of the number of steps; none: exact scheme
  Index quick = 0;                ///< their value at --quick
  Index full = 0;                 ///< their value at --full
  double order = 1;               ///< lowest weak order of the scheme
  Index coarser = 4;              ///< the coarsest run's step, in steps of the finest
  bool extrapolate = false;       ///< the bias is c h^order + O(h^(order + 1)): remove c h^order
};

struct CaseSet {
  std::string id;
  std::string title;
  std::string citation;
  std::string check;           ///< how the reference was verified
  std::string estimate;        ///< name of the estimate to compare
  std::string path;            ///< of its file
  std::string directory;       ///< of its file; names of further files are relative to it
  bool is_long = false;        ///< runs at --full only
  double standard_errors = 4;  ///< largest accepted difference of sampled values
  /// A third-party file that was not found: there are no cases then.
  std::string missing_file;
  Refinement refinement;
  std::vector<ValidationCase> cases;
};

/// The number of values that a set compares.
Index count_values(const CaseSet& set);

/// Reads one file. A third-party file that it names is searched in $LAMMPS_POTENTIALS, the set's
/// folder "data" and where Debian has LAMMPS's potentials. A malformed one is a ConfigError with
/// file, line and reason: keys, columns, rows, formulas and the TOML of configurations are checked.
CaseSet load_case_set(const std::string& path, const ColumnFunctions& functions = {});

/// The text of a case's configuration, with lines numbered as in the set's file, and the name of
/// its file in messages.
std::string config_text(const ValidationCase& one);
std::string config_name(const CaseSet& set, const ValidationCase& one);

/// Every key of a validation file, as `gsim schema --validation` prints them: as text, or as JSON
/// Schema.
std::string case_set_schema(bool json);

/// The sets of a module in `directory`/<module>, sorted by file name.
std::vector<CaseSet> load_case_sets(const std::string& directory, const std::string& module,
                                    const ColumnFunctions& functions = {});

/// The folder that holds validation data: `given`, else $GSIM_VALIDATION_DATA, else beside the
/// installed program, else the source tree of this build. InputError when there is none.
std::string find_validation_data(const std::string& given);

/// `text` with every {name} replaced by the entry of `row` in the column of that name. An unknown
/// name is an error.
std::string fill_template(const std::string& text, const std::vector<std::string>& columns,
                          const std::vector<std::string>& row, const std::string& where);

}  // namespace gsim::app
