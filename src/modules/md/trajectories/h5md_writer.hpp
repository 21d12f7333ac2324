#pragma once
// Trajectories in H5MD 1.1 (P. de Buyl, P. H. Colberg and F. Hoefling, Comput. Phys. Commun. 185,
// 1546 (2014); https://nongnu.org/h5md). Atoms are in the order of ids, in the group
// "particles/trajectory", the name that MDAnalysis requires. Positions are wrapped
// into the box along periodic axes; position + image · edges are unwrapped positions.
//
// Units are those of the run, with the names that MDAnalysis accepts; forces of runs in metal units
// are written in kJ/(mol Angstrom), since MDAnalysis does not support eV. In lj units there is no
// attribute "unit": open such a file with MDAnalysis.Universe(FILE, n_atoms=N,
// convert_units=False).
//
// Additions to the standard: the attribute "origin" of particles/trajectory/box is the lower corner
// of the box; parameters/type_names contains the names of species 1, 2, …; "molecule" contains the
// molecule number of each atom if the initial configuration has molecules (0: none);
// files/h5md_topology.hpp describes the types and parameters of bonds, angles and dihedrals;
// parameters/pair_coefficients contains the coefficients of a data file
// (files/coefficient_lines.hpp).

#include <memory>
#include <optional>
#include <string>

#include "gsim/io/segmented_file.hpp"
#include "src/modules/md/sampling/output_setup.hpp"
#include "src/modules/md/trajectories/frame_rows.hpp"
#include "src/modules/md/trajectories/trajectory_config.hpp"

namespace gsim::md {

class H5mdWriter : public Observer {
 public:
  /// `name`: path of the state of this writer in checkpoints, for example "trajectory/1".
  H5mdWriter(std::string name, const TrajectoryConfig& config, const OutputSetup& setup);

  Index next(Index step) const override { return config_.steps.next(step); }
  bool needs_thermo() const override { return config_.thermo; }
  /// Writes one frame, unless the file already has one of this step. IoError if the disk is full.
  void observe(const Snapshot& snapshot) override;
  void save(DatasetWriter& writer) const override;
  void restore(DatasetReader& reader) override;
  void abandon() override {
    if (file_) file_->keep_files_of_other_runs();
  }
  /// Joins the segments of the file. Nothing is written to the result file.
  void write_results(DatasetWriter& writer) const override;
  std::uint64_t digest() const override;

 private:
  struct Values;
  void make_file();
  void append(const Values& values);
  void describe(ObjectWriter& objects) const;
  void describe_atoms(ObjectWriter& objects) const;
  void describe_topology(ObjectWriter& objects) const;

  std::string name_;
  TrajectoryConfig config_;
  const OutputSetup& setup_;
  FrameRows rows_;
  std::unique_ptr<SegmentedFile> file_;  // null before the first frame
  Index last_step_ = -1;
  std::vector<Index> periodic_;  // for each axis: 1 if periodic, else 0
  std::vector<double> origin_;
};

}  // namespace gsim::md
