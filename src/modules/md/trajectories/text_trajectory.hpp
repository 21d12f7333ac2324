#pragma once
// Base class of trajectories in text: frames with a header and one line for each atom, in the order
// of ids, formatted by all ranks in parallel and written by rank 0 in parts of bounded size.

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "gsim/io/append_only_file.hpp"
#include "src/modules/md/sampling/output_setup.hpp"
#include "src/modules/md/trajectories/frame_rows.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

/// One atom of a frame.
struct AtomLine {
  Index id = 0;
  std::int32_t type = 0;  ///< index into the types
  double charge = 0;
  Vector3 position{}, velocity{}, force{};
  ImageCount image{};
};

class TextTrajectory : public Observer {
 public:
  TextTrajectory(std::string name, const TrajectoryConfig& config, const OutputSetup& setup);

  Index next(Index step) const override { return config_.steps.next(step); }
  /// Writes one frame, unless the file already has one of this step. IoError if the disk is full.
  void observe(const Snapshot& snapshot) override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void abandon() override {
    if (file_) file_->keep_files_of_other_runs();
  }
  /// Renames the file to its final name. Nothing is written to the result file.
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

 protected:
  /// The lines before the atoms.
  virtual std::string header(const Snapshot& snapshot, Index atoms) const = 0;
  /// Appends the beginning of the line of an atom, up to position and id. The selected quantities
  /// (image, velocity, force, in this order) and the end of the line follow.
  virtual void append_atom(std::string& text, const AtomLine& atom) const = 0;
  /// Append the columns of velocity and force.
  virtual void append_velocity(std::string& text, const AtomLine& atom) const {
    append_reals(text, atom.velocity);
  }
  virtual void append_force(std::string& text, const AtomLine& atom) const {
    append_reals(text, atom.force);
  }

  const TrajectoryConfig& config() const { return config_; }
  const OutputSetup& setup() const { return setup_; }
  /// Whether all atoms of the system are in the file.
  bool has_all_atoms() const { return rows_.is_all(); }
  /// Append a blank and a number (for a vector, each component) in the precision of the file.
  void append_real(std::string& text, double value) const;
  void append_reals(std::string& text, const Vector3& values) const;

 private:
  struct Columns;
  void append_line(std::string& text, const AtomLine& atom) const;
  /// Writes the lines of the rows `part` of the frame. Collective.
  void append_part(const Columns& columns, IndexRange part);

  std::string name_;
  TrajectoryConfig config_;
  const OutputSetup& setup_;
  FrameRows rows_;
  std::unique_ptr<AppendOnlyFile> file_;  // null before the first frame
  Index last_step_ = -1;
};

}  // namespace gsim::md
