#pragma once
// Writes fields as functions of time to one VTKHDF file, which ParaView opens as a series of steps.
// After a kill and a resume no step is missing or doubled, as in trajectories
// (io/segmented_file.hpp).

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
#include "gsim/config/section.hpp"
#include "gsim/domain/field.hpp"
#include "gsim/domain/field_rows.hpp"
#include "gsim/io/segmented_file.hpp"
#include "gsim/io/vtk_image.hpp"

namespace gsim {

/// An array of the file, as ParaView lists it: "temperature", doubles, 1 component.
struct FieldArray {
  std::string name;
  ElementType type = ElementType::float64;
  Index components = 1;
  std::string unit = {};  ///< stored as the array's attribute `unit` where it is not empty
};

/// The array for a field of doubles or floats, with the name and the unit of the field's quantity;
/// the size of its elements determines the type. Error where the quantity has no name.
FieldArray array_of(const Field& field);

/// The table [pictures] of a module: the steps whose fields are written, and the file.
struct PictureKeys {
  Index every = 0;  ///< steps between pictures; 0: none
  std::string file = {};

  /// Describes the optional table with its keys `every` and `file`. `unit` is the unit of `every`,
  /// "steps" or "sweeps".
  void describe(Section& top, const std::string& doc, const std::string& unit = "steps");
  bool is_due(Index step) const { return every > 0 && step % every == 0; }
  /// The first step from `step` on whose fields are written; the largest Index where there is none.
  Index next(Index step) const {
    return every > 0 ? (step + every - 1) / every * every : std::numeric_limits<Index>::max();
  }
  /// The path of the file: `file`, or if that is empty `output`.vtkhdf. Pass Context::output.
  std::string path(const std::string& output) const {
    return file.empty() ? output + ".vtkhdf" : file;
  }
};

/// All members are collective; errors are thrown on all ranks.
class FieldSeries {
 public:
  /// For fields on the blocks of `grid`; `image` gives the origin and the size of its cells. `path`
  /// ends in ".vtkhdf". Ranks write whole planes of cells perpendicular to the last axis. Does not
  /// access the disk. InputError where `image` and `grid` have different numbers of cells.
  FieldSeries(Communicator communicator, const GridDecomposition& grid, const VtkImage& image,
              const std::string& path, std::vector<FieldArray> arrays,
              const SegmentedFileOptions& options = {});

  /// The same for fields with a named quantity (array_of); append() expects these fields, in this
  /// order.
  FieldSeries(Communicator communicator, const GridDecomposition& grid, const VtkImage& image,
              const std::string& path, std::span<const Field* const> fields,
              const SegmentedFileOptions& options = {});

  const std::string& path() const { return file_.path(); }
  /// Number of steps that were appended.
  Index steps() const { return file_.frames(); }
  /// A line for the report of a run: "pictures: run.vtkhdf, 12 steps".
  std::string summary() const;

  /// Starts without steps. Either this or restore() is called first (SegmentedFile::start).
  void start() { file_.start(); }
  /// Appends a step at `time`: one field for each array, in the order of arrays. Launches that
  /// write the fields must have finished. Error for a field whose elements have another size.
  void append(double time, std::span<const Field* const> fields);

  /// Makes the steps durable and adds them to the checkpoint (SegmentedFile::save).
  void save(DatasetWriter& writer, std::string_view prefix) { file_.save(writer, prefix); }
  /// Resumes after the steps of the checkpoint, on any number of ranks (SegmentedFile::restore).
  void restore(DatasetReader& reader, std::string_view prefix) { file_.restore(reader, prefix); }
  /// Writes all steps to path(). An existing file of that name with other steps is renamed; returns
  /// its new name, or an empty string (SegmentedFile::finish). More steps and another finish() may
  /// follow.
  std::string finish();

  /// Digest of all steps; the same on every rank and for any number of ranks.
  std::uint64_t digest() { return file_.digest(); }

 private:
  VtkImage image_;
  std::vector<FieldArray> arrays_;
  FieldRows planes_;
  SegmentedFile file_;
};

}  // namespace gsim
