#pragma once
// What `gsim inspect` knows of a file, before it is printed to people or programs.

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
  bool readable = false;  ///< its type is one of gsim's
  TextPairs attributes;
};

/// A group whose datasets are columns of equal length.
struct TableInfo {
  std::string path;
  Index rows = 0;
  std::vector<DatasetInfo> columns;
};

/// A text below provenance/input_files.
struct InputFileInfo {
  std::string name;
  std::string digest;
  std::string dataset;  ///< its path in the file
  Index bytes = 0;
};

/// A group of particles of an H5MD file.
struct ParticlesInfo {
  std::string path;  ///< "particles/trajectory"
  Index frames = 0, atoms = 0;
  Index first_step = -1, last_step = -1;  ///< of the frames; -1: not said
  std::vector<std::string> elements;      ///< "position", "velocity", …
};

struct FileInfo {
  std::string path;
  /// "results", "checkpoint", "h5md": of whatever program, or "other"
  std::string kind;
  Index bytes = 0;
  TextPairs attributes;  ///< of the file
  TextPairs
      provenance;  ///< attributes and single values of /provenance (a checkpoint: /checkpoint)
  std::vector<InputFileInfo> input_files;
  std::vector<ParticlesInfo> particles;
  std::vector<TableInfo> tables;
  std::vector<DatasetInfo> datasets;  ///< all of them, those of tables too
};

/// One element as text. A number that is not finite is "nan", "inf" or "-inf".
struct Cell {
  std::string text;
  bool is_string = false;
  bool finite = true;
};
/// How many digits a cell's floating-point numbers have: for people, or so that they read back.
enum class Digits { few, exact };
/// Elements of rows [rows.first, rows.last), row by row.
std::vector<Cell> read_cells(const Hdf5Reader& file, const DatasetInfo& dataset, IndexRange rows,
                             Digits digits);

/// Of a file whose kind is "h5md": its groups of particles; and who made it, "gsim 0.1.0".
std::vector<ParticlesInfo> survey_particles(const Hdf5Reader& file);
std::string creator_of(const Hdf5Reader& file);

enum class InspectForm { text, json, table };
/// What is printed of a file.
struct Inspection {
  std::string text;
  bool is_of_gsim = false;  ///< it says that gsim wrote it, or parts of it
};
/// `table` names the one to print as CSV where `form` says so.
Inspection inspect_open_file(const Hdf5Reader& file, InspectForm form, const std::string& table);

FileInfo survey(const Hdf5Reader& file);
std::string to_text(const Hdf5Reader& file, const FileInfo& info);
std::string to_json(const Hdf5Reader& file, const FileInfo& info);
std::string to_csv(const Hdf5Reader& file, const FileInfo& info, const std::string& table);

}  // namespace gsim::io
