#pragma once
// Validation cases: published values, kept as data in validation/<module>/*.toml, and the
// configuration that computes each. One file is one set: a table of rows with columns, and a
// configuration template in which {column} stands for a row's entry.

#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim::app {

/// One published number and the run that must reproduce it.
struct ValidationCase {
  std::string name;      ///< "call K=100"
  std::string config;    ///< TOML, placeholders filled in
  double reference = 0;  ///< what the estimate is compared with
  double published = 0;  ///< the figure as printed, where the file has one
  bool has_published = false;
  double tolerance = 0;  ///< accuracy of the reference
  double scale = 0;      ///< error target of nearly worthless cases is a fraction of this
  /// How each level samples: settings "key=value" on top of the configuration.
  std::vector<std::string> quick_settings, full_settings;
};

/// How a discretisation bias is bounded: the run is repeated at `coarser` times the step. With
/// `extrapolate`, a run at twice the step between them gives the estimate with the bias' leading
/// term removed (Talay and Tubaro 1990).
struct Refinement {
  std::vector<std::string> keys;  ///< configuration keys that hold the steps; none: exact scheme
  Index quick = 0;                ///< their value at --quick
  Index full = 0;                 ///< their value at --full
  double order = 1;               ///< least weak order of the scheme
  Index coarser = 4;              ///< the coarsest run's step, in steps of the finest
  bool extrapolate = false;       ///< the bias is c h^order + O(h^(order + 1)): remove c h^order
};

struct CaseSet {
  std::string id;
  std::string title;
  std::string citation;
  std::string check;     ///< how the reference was verified
  std::string estimate;  ///< name of the estimate to compare
  Refinement refinement;
  std::vector<ValidationCase> cases;
};

/// Reads one file. A malformed one is a ConfigError that names it.
CaseSet load_case_set(const std::string& path);

/// The sets of a module in `directory`/<module>, sorted by file name.
std::vector<CaseSet> load_case_sets(const std::string& directory, const std::string& module);

/// The folder that holds validation data: `given`, else $GSIM_VALIDATION_DATA, else beside the
/// installed program, else the source tree of this build. InputError when there is none.
std::string find_validation_data(const std::string& given);

/// `text` with every {name} replaced by the entry of the same column. An unknown name is an error.
std::string fill_template(const std::string& text, const std::vector<std::string>& columns,
                          const std::vector<std::string>& row, const std::string& where);

}  // namespace gsim::app
