#pragma once
// The files that runs write beside their results, and their comparison.

#include <functional>
#include <string>
#include <vector>

#include "gsim/core/json.hpp"
#include "gsim/io/compare_files.hpp"

namespace gsim::app {

/// A further output file of a run: a trajectory, fields on a grid, a particle list.
struct OutputFile {
  /// The same for the files of two runs that belong together: "trajectory.0.file" where the
  /// configuration names the file, and what follows the name of the results where it has a default
  /// name (".h5md").
  std::string key;
  std::string path;  ///< which may be missing
};

/// The further output files of the run that wrote `results`: those that its configuration names, in
/// the folder in which the run was started or beside the results, and those beside the results
/// whose names begin with that of the results. InputError if `results` cannot be read.
std::vector<OutputFile> output_files_of(const std::string& results);

/// The files NAME.* and NAME* with one of `extensions` beside the results NAME.h5, by name, without
/// those of other results, such as those of a stage or of an earlier run.
std::vector<std::string> files_beside(const std::string& results,
                                      const std::vector<std::string>& extensions);

/// The comparison of all further output files of two results.
struct ComparedFiles {
  std::vector<FileComparison> files;
  std::vector<std::string> missing;  ///< sentences: why a file is not compared

  bool same_bits() const;
};

/// Compares the further output files of `first` and `second` that belong together. Files of which
/// one is missing, or which are the same file, are not compared, and `missing` says so. A file that
/// cannot be compared, such as a damaged one, differs, and `unmatched` says why.
ComparedFiles compare_output_files(const std::string& first, const std::string& second);

/// "a.h5md and b.h5md: 5 frames of 500 atoms, every bit is equal", or the first difference and the
/// quantities that differ.
std::string file_text(const FileComparison& comparison);
Json file_json(const FileComparison& comparison);

}  // namespace gsim::app
