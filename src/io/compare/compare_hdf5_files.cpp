#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gsim/io/vtk_image.hpp"
#include "src/io/compare/frame_files.hpp"
#include "src/io/compare/loaded_table.hpp"

namespace gsim::io {
namespace {

constexpr Index block_bytes = Index{1} << 25;  // that are read at once of each file
constexpr std::string_view cells = "VTKHDF/CellData/";

/// The datasets of a file, without those that gsim derives from the others.
std::vector<std::string> datasets_of(const Hdf5Reader& file) {
  std::vector<std::string> paths = file.list();
  std::erase_if(paths, [](const std::string& path) { return path.starts_with("gsim/"); });
  return paths;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string() : path.substr(0, slash);
}

std::string product_text(const std::vector<Index>& sizes) {
  return sizes.empty() ? "one value" : fmt::format("{}", fmt::join(sizes, " x "));
}

/// One dataset of two files, and what its elements are.
struct ComparedDataset {
  std::string path, property;
  StoredType type;
  std::vector<Index> sizes;  ///< along all axes, the frames of both files first if it has frames
  bool has_frames = false;
  std::vector<std::string> steps;  ///< of the frames; empty: unknown
  std::vector<Index> ids;          ///< of atoms, where the rows are atoms

  Index frames() const { return has_frames ? sizes.front() : 1; }
  std::size_t row_axis() const { return has_frames ? 1 : 0; }
  Index rows() const { return sizes.size() > row_axis() ? sizes[row_axis()] : 1; }
  Index columns() const {
    Index n = 1;
    for (std::size_t axis = row_axis() + 1; axis < sizes.size(); ++axis) n *= sizes[axis];
    return n;
  }
};

/// Whether the first axis of a dataset counts frames: elements of H5MD that depend on time, and
/// cells of a VTKHDF file with steps.
bool has_frames(const Hdf5Reader& file, const std::string& path) {
  if (path == vtk_times) return true;
  if (path.starts_with(cells)) return file.has(vtk_times);
  const std::string name = path.substr(path.rfind('/') + 1), group = parent_of(path);
  return (name == "value" || name == "step" || name == "time") && file.has(group + "/value") &&
         file.has(group + "/step");
}

/// "position" for particles/trajectory/position/value, "heat" for VTKHDF/CellData/heat.
std::string property_of(std::string path) {
  for (const std::string_view prefix :
       {std::string_view("particles/trajectory/"), std::string_view("observables/"), cells})
    if (path.starts_with(prefix)) path.erase(0, prefix.size());
  if (path == vtk_times || path.ends_with("/time")) return "time";
  if (path.ends_with("/step")) return "step";
  if (path.ends_with("/value")) path.resize(path.size() - 6);
  std::replace(path.begin(), path.end(), '/', ' ');
  return path;
}

std::vector<std::string> steps_of(const Hdf5Reader& file, const std::string& path) {
  const std::string steps = path.starts_with("VTKHDF/") ? std::string() : parent_of(path) + "/step";
  std::vector<std::string> texts;
  if (steps.empty() || !file.has(steps)) return texts;
  const StoredShape shape = file.shape(steps);
  if (shape.type != StoredType{ElementType::int64, 0}) return texts;
  for (const Index step : file.read_all<Index>(steps)) texts.push_back(fmt::format("{}", step));
  return texts;
}

/// The ids of the atoms that the rows of a dataset are; empty if they are none.
std::vector<Index> ids_of(const Hdf5Reader& file, const std::string& path, Index rows) {
  if (!path.starts_with("particles/") || path.find("/box/") != path.npos) return {};
  const std::string ids = path.substr(0, path.find('/', std::strlen("particles/"))) + "/id";
  if (!file.has(ids)) return {};
  const StoredShape shape = file.shape(ids);
  if (shape.rows != rows || shape.type != StoredType{ElementType::int64, 0}) return {};
  return file.read_all<Index>(ids);
}

const char* const axes[] = {"x", "y", "z"};

/// Describes the element `column` of row `row`.
void name_element(const ComparedDataset& d, Index row, Index column, FileDifference& out) {
  if (d.path.starts_with(cells)) {
    const std::size_t first = d.row_axis();  // of z, y, x and components
    const Index nx = d.sizes.size() > first + 2 ? d.sizes[first + 2] : 1;
    const Index components = d.sizes.size() > first + 3 ? d.sizes[first + 3] : 1;
    const Index in_plane = column / components;
    out.item = fmt::format("cell {} {} {}", in_plane % nx, in_plane / nx, row);
    if (components > 1) out.property += fmt::format(", component {}", column % components);
    return;
  }
  if (!d.ids.empty())
    out.item = fmt::format("atom {}", d.ids[static_cast<std::size_t>(row)]);
  else if (d.rows() > 1)
    out.item = fmt::format("row {}", row);
  if (!d.ids.empty() && d.columns() == 3)
    out.property += fmt::format(" {}", axes[column]);
  else if (d.columns() > 1)
    out.property += fmt::format(", column {}", column);
}

class Hdf5Comparison {
 public:
  Hdf5Comparison(const std::string& first, const std::string& second)
      : a_(verified_path(first)), b_(verified_path(second)) {
    out_.first = first;
    out_.second = second;
  }

  FileComparison run() {
    describe_contents();
    for (const std::string& path : datasets_of(a_)) {
      if (b_.has(path))
        compare_dataset(path);
      else
        add_unmatched(fmt::format("only {} has {}", out_.first, property_of(path)));
    }
    for (const std::string& path : datasets_of(b_))
      if (!a_.has(path))
        add_unmatched(fmt::format("only {} has {}", out_.second, property_of(path)));
    compare_boxes();
    return std::move(out_);
  }

 private:
  void add_unmatched(std::string text) {
    if (std::find(out_.unmatched.begin(), out_.unmatched.end(), text) == out_.unmatched.end())
      out_.unmatched.push_back(std::move(text));
  }

  void describe_contents() {
    const std::vector<ParticlesInfo> particles = summarize_particles(a_);
    if (!particles.empty())
      out_.contents =
          fmt::format("{} frames of {} atoms", particles.front().frames, particles.front().atoms);
    else if (a_.has(vtk_times))
      out_.contents = fmt::format("{} steps", a_.shape(vtk_times).rows);
    else
      out_.contents = fmt::format("{} datasets", datasets_of(a_).size());
  }

  void compare_dataset(const std::string& path) {
    const StoredType type = a_.shape(path).type, other = b_.shape(path).type;
    const std::string property = property_of(path);
    compare_attributes(path, property);
    if (type != other && !(type.is_string() && other.is_string()))
      return add_unmatched(fmt::format("{}: {} and {}", property, type.name(), other.name()));
    ComparedDataset d{path, property, type, a_.extents(path), has_frames(a_, path), {}, {}};
    std::vector<Index> sizes = b_.extents(path);
    if (d.has_frames && has_frames(b_, path) && !d.sizes.empty() && !sizes.empty() &&
        d.sizes.front() != sizes.front()) {
      add_unmatched(fmt::format("{} and {} frames", d.sizes.front(), sizes.front()));
      d.sizes.front() = sizes.front() = std::min(d.sizes.front(), sizes.front());
    }
    if (d.sizes != sizes)
      return add_unmatched(
          fmt::format("{}: {} and {}", property, product_text(d.sizes), product_text(sizes)));
    if (d.has_frames) d.steps = steps_of(a_, path);
    d.ids = ids_of(a_, path, d.rows());
    PropertyComparison result{property, 0, 0, 0};
    if (type.is_string()) {
      LoadedDataset first{a_.shape(path), a_.read_strings(path), {}};
      LoadedDataset second{b_.shape(path), b_.read_strings(path), {}};
      compare_block(d, {0, 1}, {0, d.rows()}, first, second, result);
    } else {
      compare_numbers(d, result);
    }
    out_.properties.push_back(std::move(result));
  }

  /// Reads and compares the dataset in blocks.
  void compare_numbers(const ComparedDataset& d, PropertyComparison& result) {
    const Index row_bytes = d.columns() * static_cast<Index>(d.type.size());
    const Index most_rows = std::max<Index>(block_bytes / std::max<Index>(row_bytes, 1), 1);
    const Index frame_step = std::max<Index>(most_rows / std::max<Index>(d.rows(), 1), 1);
    for (Index f = 0; f < d.frames(); f += frame_step) {
      const IndexRange frames{f, std::min(f + frame_step, d.frames())};
      for (Index r = 0; r < d.rows(); r += most_rows) {
        const IndexRange rows{r, std::min(r + most_rows, d.rows())};
        compare_block(d, frames, rows, read(a_, d, frames, rows), read(b_, d, frames, rows),
                      result);
      }
    }
  }

  static LoadedDataset read(const Hdf5Reader& file, const ComparedDataset& d, IndexRange frames,
                            IndexRange rows) {
    LoadedDataset block{{d.type, frames.size() * rows.size(), d.columns()}, {}, {}};
    block.bytes.resize(static_cast<std::size_t>(block.size()) * d.type.size());
    if (d.has_frames)
      file.read_frames(d.path, d.type, frames, rows, block.bytes.data());
    else
      file.read(d.path, d.type, rows, block.bytes.data());
    return block;
  }

  void compare_block(const ComparedDataset& d, IndexRange frames, IndexRange rows,
                     const LoadedDataset& first, const LoadedDataset& second,
                     PropertyComparison& result) {
    result.values += first.size();
    if (first.bytes == second.bytes && first.texts == second.texts) return;
    const Index of_frame = rows.size() * d.columns();
    for (Index i = 0; i < first.size(); ++i) {
      if (first.same_bits(i, second, i)) continue;
      const double difference = std::fabs(second.number(i) - first.number(i));
      if (difference > result.largest) result.largest = difference;
      if (result.different++ > 0) continue;
      Digits digits = Digits::few;
      if (first.text(i, digits) == second.text(i, digits)) digits = Digits::exact;
      FileDifference found;
      if (d.has_frames) {
        found.frame = frames.first + i / of_frame;
        if (static_cast<std::size_t>(found.frame) < d.steps.size())
          found.step = d.steps[static_cast<std::size_t>(found.frame)];
      }
      found.property = d.property;
      name_element(d, rows.first + i % of_frame / d.columns(), i % d.columns(), found);
      found.first = first.text(i, digits);
      found.second = second.text(i, digits);
      add_difference(out_, std::move(found));
    }
  }

  /// Text attributes, such as units.
  void compare_attributes(const std::string& path, const std::string& property) {
    const TextPairs first = a_.attributes(path), second = b_.attributes(path);
    if (first == second) return;
    const auto text = [](const TextPairs& pairs) {
      std::string all;
      for (const auto& [name, value] : pairs)
        all += fmt::format("{}{} {}", all.empty() ? "" : ", ", name, value);
      return all.empty() ? std::string("none") : all;
    };
    add_unmatched(fmt::format("attributes of {}: {} and {}", property, text(first), text(second)));
  }

  /// The attributes with numbers that place a box or a grid.
  void compare_boxes() {
    std::vector<std::pair<std::string, std::string>> attributes;
    for (const ParticlesInfo& group : summarize_particles(a_))
      attributes.emplace_back(group.path + "/box", "origin");
    for (const char* name : {"Origin", "Spacing", "WholeExtent"})
      attributes.emplace_back("VTKHDF", name);
    for (const auto& [group, name] : attributes) {
      const auto numbers = [&, path = group, what = name](const Hdf5Reader& file) {
        return file.has_group(path) && file.has_attribute(path, what)
                   ? file.attribute_numbers(path, what)
                   : std::vector<double>();
      };
      const std::vector<double> first = numbers(a_), second = numbers(b_);
      if (first != second)
        add_unmatched(fmt::format("{} of the box: {} and {}", name, fmt::join(first, " "),
                                  fmt::join(second, " ")));
    }
  }

  Hdf5Reader a_, b_;
  FileComparison out_;
};

}  // namespace

FileComparison compare_hdf5_files(const std::string& first, const std::string& second) {
  return Hdf5Comparison(first, second).run();
}

}  // namespace gsim::io
