#pragma once
// The contents of a file as shown by `gsim inspect`, before formatting.

#include <string>
#include <utility>
#include <vector>

#include "src/io/hdf5/hdf5_reader.hpp"

namespace gsim::io {

using TextPairs = std::vector<std::pair<std::string, std::string>>;

struct DatasetInfo {
  std::string path;
  std::string name;  ///< the last part of the path
  StoredShape shape;
  bool readable = false;  ///< whether its type is one of gsim's
  TextPairs attributes;
};

/// A group whose datasets are columns of equal length.
struct TableInfo {
  std::string path;
  Index rows = 0;
  std::vector<DatasetInfo> columns;
};

/// An input file stored below provenance/input_files.
struct InputFileInfo {
  std::string name;
  std::string digest;
  std::string dataset;  ///< path of its dataset
  Index bytes = 0;
};

/// A group of particles of an H5MD file.
struct ParticlesInfo {
  std::string path;  ///< "particles/trajectory"
  Index frames = 0, atoms = 0;
  Index first_step = -1, last_step = -1;  ///< steps of the first and last frame; -1: unknown
  std::vector<std::string> elements;      ///< "position", "velocity", …
};

struct FileInfo {
  std::string path;
  /// "results", "checkpoint", "h5md" (written by any program), or "other"
  std::string kind;
  Index bytes = 0;
  TextPairs attributes;  ///< attributes of the root group
  TextPairs provenance;  ///< attributes and scalars of /provenance (for a checkpoint: /checkpoint)
  std::vector<InputFileInfo> input_files;
  std::vector<ParticlesInfo> particles;
  std::vector<TableInfo> tables;
  std::vector<DatasetInfo> datasets;  ///< all datasets, including those of tables
};

/// One element as text. Numbers that are not finite are "nan", "inf" or "-inf".
struct Cell {
  std::string text;
  bool is_string = false;
  bool finite = true;
};
/// Number of digits of floating-point numbers: few for people, or exact, so that they read back
/// unchanged.
enum class Digits { few, exact };
/// Reads the elements of rows [rows.first, rows.last), row by row.
std::vector<Cell> read_cells(const Hdf5Reader& file, const DatasetInfo& dataset, IndexRange rows,
                             Digits digits);

/// The groups of particles of an H5MD file, and the program that wrote it, for example "gsim
/// 0.1.0".
std::vector<ParticlesInfo> summarize_particles(const Hdf5Reader& file);
std::string creator_of(const Hdf5Reader& file);

enum class InspectForm { text, json, table };
/// The formatted contents of a file.
struct Inspection {
  std::string text;
  bool is_from_gsim = false;  ///< attributes of the file name gsim as its program
};
/// Formats the contents of a file. `table` is the table to print as CSV if `form` is table.
Inspection inspect_open_file(const Hdf5Reader& file, InspectForm form, const std::string& table);

/// What summarize_file() reads: all, or only `kind`, `tables` and `datasets`, without those of the
/// provenance.
enum class Contents { all, tables };
FileInfo summarize_file(const Hdf5Reader& file, Contents contents = Contents::all);
std::string to_text(const Hdf5Reader& file, const FileInfo& info);
std::string to_json(const Hdf5Reader& file, const FileInfo& info);
std::string to_csv(const Hdf5Reader& file, const FileInfo& info, const std::string& table);

}  // namespace gsim::io
