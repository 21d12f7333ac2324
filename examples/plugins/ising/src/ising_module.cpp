#include "ising_module.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <gsim/core/digest.hpp>
#include <gsim/core/text.hpp>
#include <gsim/domain/fill_cells.hpp>
#include <gsim/engine/field_state.hpp>
#include <gsim/math/exp.hpp>
#include <gsim/math/policy.hpp>

#include "blocking.hpp"

namespace ising {
namespace {

using gsim::CellBlock;
using gsim::Field;

gsim::Cell ghosts_of(const IsingConfig& config) { return {1, 1, config.dimensions == 3 ? 1 : 0}; }

/// The grid of sites, with the same division among ranks as the grid of words. A cell of the latter
/// holds 128 sites along x, as one word of 64 sites of either colour.
gsim::GridDecomposition sites_of(const IsingConfig& config, const gsim::GridDecomposition& words) {
  std::vector<CellBlock> blocks;
  for (int r = 0; r < words.ranks(); ++r) {
    blocks.push_back(words.block(r));
    blocks.back().lo[0] *= 128;
    blocks.back().hi[0] *= 128;
  }
  return {config.sites, {}, std::move(blocks)};
}

/// The probability exp(-4 m / T) in units of 2^-32, rounded down; at most 1 - 2^-32.
std::uint32_t flip_probability(double temperature, int m) {
  const double p = gsim::exp<gsim::Strict>(-4.0 * m / temperature);
  return static_cast<std::uint32_t>(std::min(std::floor(p * 0x1p32), 0x1p32 - 1));
}

}  // namespace

IsingModule::State::State(const gsim::Context& context, const IsingConfig& config)
    : grid(config.words(), {}, context.communicator.size()),
      halo(context.communicator, grid, ghosts_of(config), context.executor, context.buffers),
      parts(gsim::FieldParts::of(grid, halo.layout())),
      rows(context.communicator, grid),
      spins{Field::of<std::uint64_t>(context.executor, halo.layout()),
            Field::of<std::uint64_t>(context.executor, halo.layout())} {}

gsim::WorkPlan IsingModule::plan(const gsim::Context& context) {
  context_ = std::make_shared<const gsim::Context>(context);
  gsim::check_addresses("updates of spins", config_.count() / 128, 2 * config_.sweeps, 64);
  for (int k = 0; k < 3; ++k)
    flip_probability_[static_cast<std::size_t>(k)] =
        k < config_.dimensions ? flip_probability(config_.temperature, k + 1) : 0;
  gsim::WorkPlan plan;
  plan.unit_name = "sweep";
  plan.total_units = config_.sweeps;
  plan.summary = std::to_string(config_.sites[0]) + " x " + std::to_string(config_.sites[1]) +
                 (config_.dimensions == 3 ? " x " + std::to_string(config_.sites[2]) : "") +
                 " spins, k T / J = " + gsim::human_number(config_.temperature, 10);
  plan.item_name = "spin updates";
  plan.items_per_unit = static_cast<double>(config_.count());
  const int ranks =
      context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
  const Index measurements = config_.sweeps / config_.measure_every;
  // A bit for the spin and, for pictures, an integer; 16 bytes for the two sums of a measurement.
  const double bytes_per_site = 0.125 + (config_.pictures.every > 0 ? sizeof(std::int32_t) : 0);
  plan.bytes_per_rank = bytes_per_site * static_cast<double>(config_.count()) / ranks +
                        16.0 * static_cast<double>(measurements);
  return plan;
}

Words IsingModule::words_of(const CellBlock& block) const {
  const gsim::FieldLayout& layout = state_->halo.layout();
  Words words;
  words.first = layout.row(block.lo);
  for (std::size_t a = 0; a < 3; ++a) {
    words.size[a] = block.size(static_cast<int>(a));
    words.origin[a] = block.lo[a];
  }
  words.stride_y = layout.stride[1];
  words.stride_z = layout.stride[2];
  words.dimensions = config_.dimensions;
  return words;
}

void IsingModule::build() {
  state_ = std::make_unique<State>(*context_, config_);
  if (config_.pictures.every == 0) return;
  const gsim::GridDecomposition sites = sites_of(config_, state_->grid);
  const CellBlock& own = sites.block(context_->communicator.rank());
  sites_.emplace(
      Field::of<std::int32_t>(context_->executor, gsim::FieldLayout::of(own, {0, 0, 0})));
  pictures_ = std::make_unique<gsim::FieldSeries>(
      context_->communicator, sites, gsim::VtkImage{config_.sites},
      config_.pictures.path(context_->output),
      std::vector<gsim::FieldArray>{{"spin", gsim::ElementType::int32}});
}

void IsingModule::prepare() {
  build();
  const CellBlock& block = state_->halo.layout().block;
  for (int colour = 0; colour < 2 && !block.empty(); ++colour) {
    if (config_.start == StartKind::random) {
      const gsim::Cell n = config_.words();
      gsim::ising_random(context_->executor, {words(colour),
                                              words_of(block),
                                              colour,
                                              {n[0], n[1]},
                                              gsim::stream_key({context_->seed, start_purpose})});
      continue;
    }
    gsim::fill_cells(state_->spins[static_cast<std::size_t>(colour)],
                     [](const gsim::Cell&) { return ~std::uint64_t{0}; });
  }
  if (!pictures_) return;
  pictures_->start();
  write_picture(0);
}

/// Exchanges the ghosts of `colour` and calls compute(block) for all words. Blocks that need no
/// ghosts of other ranks are computed during the exchange.
template <class Compute>
void IsingModule::with_ghosts(int colour, const Compute& compute) {
  Field* const fields[] = {&state_->spins[static_cast<std::size_t>(colour)]};
  state_->halo.post(fields);
  if (!state_->parts.inner.empty()) compute(state_->parts.inner);
  state_->halo.finish();
  for (const CellBlock& part : state_->parts.outer) compute(part);
}

void IsingModule::update(int colour, Index sweep) {
  UpdateArgs args;
  args.own = words(colour);
  args.other = words(1 - colour);
  args.colour = colour;
  args.lattice_words[0] = config_.words()[0];
  args.lattice_words[1] = config_.words()[1];
  std::copy(flip_probability_.begin(), flip_probability_.end(), args.probability);
  args.key = gsim::stream_key({context_->seed, update_purpose});
  args.step = static_cast<std::uint64_t>(2 * sweep + colour);
  with_ghosts(1 - colour, [&](const CellBlock& block) {
    args.words = words_of(block);
    gsim::ising_update(context_->executor, args);
  });
}

void IsingModule::advance(Index first, Index count) {
  for (Index sweep = first; sweep < first + count; ++sweep) {
    for (int colour = 0; colour < 2; ++colour) update(colour, sweep);
    const Index done = sweep + 1;
    if (done > config_.discard && (done - config_.discard) % config_.measure_every == 0) measure();
    if (config_.pictures.is_due(done)) write_picture(done);
  }
}

void IsingModule::measure() {
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "measure");
  gsim::ExactSum sums[2];
  MeasureArgs args;
  args.own = words(0);
  args.other = words(1);
  args.sums = sums;
  with_ghosts(1, [&](const CellBlock& block) {
    args.words = words_of(block);
    gsim::ising_measure(context_->executor, args);
  });
  context_->communicator.sum(sums);
  aligned_.push_back(static_cast<std::int64_t>(sums[0].value(1)));
  up_.push_back(static_cast<std::int64_t>(sums[1].value(1)));
}

void IsingModule::write_picture(Index sweep) {
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "pictures");
  const gsim::FieldLayout& layout = sites_->layout();
  if (!layout.block.empty()) {
    SpinsArgs args;
    for (int colour = 0; colour < 2; ++colour) args.words[colour] = words(colour);
    args.block = words_of(state_->halo.layout().block);
    args.spins = sites_->elements<std::int32_t>().data;
    args.first = layout.row(layout.block.lo);
    args.stride_y = layout.stride[1];
    args.stride_z = layout.stride[2];
    gsim::ising_spins(context_->executor, args);
  }
  const Field* const fields[] = {&*sites_};
  pictures_->append(static_cast<double>(sweep), fields);
}

Index IsingModule::next_evaluation(Index done) const {
  if (!context_->stop.has_error_target()) return config_.sweeps;
  Index measured = 1024 * config_.measure_every;
  while (config_.discard + measured <= done) measured *= 2;
  return std::min(config_.discard + measured, config_.sweeps);
}

/// With N sites, d N pairs of neighbours of which A are aligned, and U spins up, the energy per
/// site is -J (2 A - d N) / N and the magnetisation (2 U - N) / N.
void IsingModule::update_estimates() {
  const auto n = static_cast<double>(config_.count());
  std::vector<double> energy, magnetisation, square;
  for (std::size_t i = 0; i < up_.size(); ++i) {
    energy.push_back(config_.dimensions - 2 * static_cast<double>(aligned_[i]) / n);
    const double m = 2 * static_cast<double>(up_[i]) / n - 1;
    magnetisation.push_back(std::abs(m));
    square.push_back(m * m);
  }
  estimates_.clear();
  const auto add = [&](const char* name, const char* unit, const std::vector<double>& values) {
    const BlockedMean blocked = blocked_mean(values);
    gsim::Estimate e;
    e.name = name;
    e.unit = unit;
    e.mean = blocked.mean;
    e.standard_error = blocked.standard_error;
    e.count = static_cast<Index>(values.size());
    e.degrees_of_freedom = std::max<Index>(blocked.blocks - 1, 0);
    e.converged = context_->stop.converged(e);
    estimates_.push_back(e);
  };
  add("energy", "J/site", energy);
  add("magnetisation", "1", magnetisation);
  add("squared magnetisation", "1", square);
}

gsim::Module::Evaluation IsingModule::evaluate(Index) {
  update_estimates();
  Evaluation result;
  for (const gsim::Estimate& e : estimates_) result.add(e, context_->stop);
  result.all_converged = context_->stop.has_error_target() && result.converged == result.judged;
  return result;
}

void IsingModule::save(gsim::DatasetWriter& writer) const {
  gsim::save_field<std::uint64_t>(writer, "ising/colour_0", state_->rows, state_->spins[0]);
  gsim::save_field<std::uint64_t>(writer, "ising/colour_1", state_->rows, state_->spins[1]);
  writer.write("ising/aligned", aligned_);
  writer.write("ising/up", up_);
  if (pictures_) pictures_->save(writer, "ising/pictures");
}

void IsingModule::restore(gsim::DatasetReader& reader) {
  build();
  gsim::restore_field<std::uint64_t>(reader, "ising/colour_0", state_->rows, state_->spins[0]);
  gsim::restore_field<std::uint64_t>(reader, "ising/colour_1", state_->rows, state_->spins[1]);
  aligned_ = reader.read<std::int64_t>("ising/aligned");
  up_ = reader.read<std::int64_t>("ising/up");
  if (pictures_) pictures_->restore(reader, "ising/pictures");
}

void IsingModule::write_results(gsim::DatasetWriter& writer) const {
  std::vector<std::string> names;
  std::vector<double> means, errors;
  std::vector<Index> counts;
  for (const gsim::Estimate& e : estimates_) {
    names.push_back(e.name);
    means.push_back(e.mean);
    errors.push_back(e.standard_error);
    counts.push_back(e.count);
  }
  writer.write_strings("estimates/name", names);
  writer.write("estimates/mean", means);
  writer.write("estimates/standard_error", errors);
  writer.write("estimates/count", counts);
  const auto n = static_cast<double>(config_.count());
  std::vector<double> energy, magnetisation;
  for (std::size_t i = 0; i < up_.size(); ++i) {
    energy.push_back(config_.dimensions - 2 * static_cast<double>(aligned_[i]) / n);
    magnetisation.push_back(2 * static_cast<double>(up_[i]) / n - 1);
  }
  writer.write("series/energy", energy);
  writer.write("series/magnetisation", magnetisation);
  if (pictures_) pictures_->finish();
}

gsim::ReportTable IsingModule::report() const {
  gsim::ReportTable table;
  table.columns = {"", "mean", "± std. error", "measurements", "unit"};
  table.right_aligned = {false, true, true, true, false};
  for (const gsim::Estimate& e : estimates_)
    table.rows.push_back({e.name, gsim::human_number(e.mean, 8),
                          gsim::human_number(e.standard_error, 2), std::to_string(e.count),
                          e.unit});
  if (pictures_) table.footer.push_back(pictures_->summary());
  return table;
}

std::uint64_t IsingModule::digest() const {
  gsim::Digest digest;
  for (const Field& field : state_->spins) digest.add(state_->rows.digest<std::uint64_t>(field));
  digest.add(std::span<const std::int64_t>(aligned_));
  digest.add(std::span<const std::int64_t>(up_));
  for (const gsim::Estimate& e : estimates_) digest.add(e.mean).add(e.standard_error);
  if (pictures_) digest.add(pictures_->digest());
  return digest.value();
}

}  // namespace ising
