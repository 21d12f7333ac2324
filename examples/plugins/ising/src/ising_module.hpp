#pragma once
// The Ising model on a square or simple cubic lattice, as a module of gsim.

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include <gsim/domain/field.hpp>
#include <gsim/domain/field_parts.hpp>
#include <gsim/domain/field_rows.hpp>
#include <gsim/engine/field_series.hpp>
#include <gsim/engine/module.hpp>
#include <gsim/random/plugin_purpose.hpp>
#include <gsim/random/stream.hpp>

#include "ising_config.hpp"
#include "lattice_kernels.hpp"

namespace ising {

/// Random draws of this plugin.
inline constexpr gsim::Purpose update_purpose = gsim::plugin_purpose("ising", 0);
inline constexpr gsim::Purpose start_purpose = gsim::plugin_purpose("ising", 1);

/// One unit of work is a sweep: an update of all spins of colour 0, then of all of colour 1.
class IsingModule : public gsim::Module {
 public:
  void describe(gsim::Section& top) override { config_.describe(top); }
  gsim::WorkPlan plan(const gsim::Context& context) override;
  void prepare() override;
  Index next_evaluation(Index done) const override;
  void advance(Index first, Index count) override;
  Evaluation evaluate(Index done) override;
  void update_estimates() override;
  std::vector<gsim::Estimate> estimates() const override { return estimates_; }
  void save(gsim::DatasetWriter& writer) const override;
  void restore(gsim::DatasetReader& reader) override;
  // New targets need no change of the state, because evaluate() changes nothing that is saved.
  std::string tighten_targets(bool /*was_evaluated*/) override { return {}; }
  void write_results(gsim::DatasetWriter& writer) const override;
  gsim::ReportTable report() const override;
  std::uint64_t digest() const override;

 private:
  struct State {
    State(const gsim::Context& context, const IsingConfig& config);
    gsim::GridDecomposition grid;
    gsim::FieldHalo halo;
    gsim::FieldParts parts;
    gsim::FieldRows rows;
    std::array<gsim::Field, 2> spins;  ///< of each colour: words of 64 spins (lattice_kernels.hpp)
  };
  void build();  ///< makes state_, sites_ and pictures_
  /// The words in `block` as an argument of kernels.
  Words words_of(const gsim::CellBlock& block) const;
  /// The words of a colour on this rank, ghosts included.
  std::uint64_t* words(int colour) const {
    return state_->spins[static_cast<std::size_t>(colour)].elements<std::uint64_t>().data;
  }
  /// Exchanges the ghosts of `colour` and calls compute(block) for blocks that cover this rank.
  template <class Compute>
  void with_ghosts(int colour, const Compute& compute);
  void update(int colour, Index sweep);
  void measure();
  void write_picture(Index sweep);

  IsingConfig config_;
  std::shared_ptr<const gsim::Context> context_;
  /// Probabilities of spin flips that raise the energy by 4 J, 8 J and 12 J, in units of 2^-32.
  std::array<std::uint32_t, 3> flip_probability_{};
  std::unique_ptr<State> state_;
  std::optional<gsim::Field> sites_;  ///< spins as numbers, for pictures
  std::unique_ptr<gsim::FieldSeries> pictures_;
  std::vector<std::int64_t> aligned_,
      up_;  ///< numbers of aligned pairs and of up spins, by measurement
  std::vector<gsim::Estimate> estimates_;
};

}  // namespace ising
