#pragma once
// Compares the files that runs write beside their results, bit by bit: trajectories, fields on
// grids, lists of particles.

#include <optional>
#include <string>
#include <vector>

#include "gsim/core/types.hpp"

namespace gsim {

/// A quantity in two files.
struct PropertyComparison {
  std::string name;  ///< "velocity"
  Index values = 0;  ///< number of values that were compared
  Index different = 0;
  double largest = 0;  ///< largest difference of two numbers; 0 where only texts or NaNs differ
};

/// A value that differs between two files.
struct FileDifference {
  Index frame = -1;           ///< counted from 0; -1: not of a frame
  std::string step;           ///< of the frame, as the file has it: "200"; empty: unknown
  std::string item;           ///< "atom 17", "cell 3 0 5", "particle 12"; empty: of the whole frame
  std::string property;       ///< "velocity y"
  std::string first, second;  ///< the values

  /// "frame 2 (step 200), atom 17".
  std::string place() const;
};

struct FileComparison {
  std::string first, second;  ///< paths
  std::string contents;       ///< of the first file: "5 frames of 500 atoms"
  std::vector<PropertyComparison> properties;
  /// What has no counterpart: "5 and 7 frames", "only a.h5md has velocity".
  std::vector<std::string> unmatched;
  std::optional<FileDifference> difference;  ///< the first one, by frames

  bool same_bits() const { return !difference && unmatched.empty(); }
};

/// Whether the file `path` is one that compare_files() compares: an HDF5 file of gsim that is not
/// one of results, or a file that begins like a particle list in the MCPL format or a trajectory in
/// extended XYZ or LAMMPS's dump format (these three also compressed by gzip). InputError if it
/// cannot be read.
bool is_frame_file(const std::string& path);

/// Compares two files of the same format. Of HDF5 files of gsim all datasets and their units are
/// compared, and in H5MD and VTKHDF files the box; of particle lists the records and the texts of
/// the header; of text trajectories every field of every line. Frames that one file alone has are
/// counted. InputError if a file is missing, damaged, of another format, or an HDF5 file without
/// gsim's checksums.
FileComparison compare_files(const std::string& first, const std::string& second);

}  // namespace gsim
