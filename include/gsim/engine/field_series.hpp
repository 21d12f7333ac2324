#pragma once
// Pictures of fields as a run goes on: one VTKHDF file that ParaView opens as a series of steps,
// and that survives kills and resumes as trajectories do (io/segmented_file.hpp): no step is missing
// or there twice.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsim/comm/communicator.hpp"
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

/// The array of a field of doubles or floats (its elements' size says which), by its quantity's
/// name and unit. Error where the quantity has no name.
FieldArray array_of(const Field& field);

/// All members are collective; errors are thrown on all ranks.
class FieldSeries {
 public:
  /// For fields on the blocks of `grid`, whose cells `image` places. `path` ends in ".vtkhdf".
  /// Ranks write whole planes of cells across the last axis. Touches no disk. InputError where
  /// `image` has other cells.
  FieldSeries(Communicator communicator, const GridDecomposition& grid, const VtkImage& image,
              const std::string& path, std::vector<FieldArray> arrays,
              const SegmentedFileOptions& options = {});

  /// The same for fields that say what they hold (array_of); append() takes these, in this order.
  FieldSeries(Communicator communicator, const GridDecomposition& grid, const VtkImage& image,
              const std::string& path, std::span<const Field* const> fields,
              const SegmentedFileOptions& options = {});

  const std::string& path() const { return file_.path(); }
  /// Steps so far.
  Index steps() const { return file_.frames(); }

  /// Begins without steps. Either this or restore() comes first (SegmentedFile::start).
  void start() { file_.start(); }
  /// One more step: the fields of the arrays, in their order, after their launches. Error for a
  /// field whose elements have another size.
  void append(double time, std::span<const Field* const> fields);

  /// The steps so far become durable and part of the checkpoint (SegmentedFile::save).
  void save(DatasetWriter& writer, std::string_view prefix) { file_.save(writer, prefix); }
  /// Goes on from those, on any number of ranks.
  void restore(DatasetReader& reader, std::string_view prefix) { file_.restore(reader, prefix); }
  /// Makes the file of all steps so far. Returns the name under which another file that was there
  /// is kept, or an empty one. Steps may follow, and another finish().
  std::string finish();

  /// Digest of all steps so far; the same on every rank, whatever their number.
  std::uint64_t digest() { return file_.digest(); }

 private:
  VtkImage image_;
  std::vector<FieldArray> arrays_;
  FieldRows planes_;
  SegmentedFile file_;
};

}  // namespace gsim
