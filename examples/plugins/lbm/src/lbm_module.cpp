#include "lbm_module.hpp"

#include <algorithm>

#include <gsim/core/digest.hpp>
#include <gsim/core/text.hpp>
#include <gsim/domain/field_sums.hpp>
#include <gsim/domain/fill_cells.hpp>
#include <gsim/engine/field_state.hpp>

#include "probes.hpp"

namespace lbm {
namespace {

using gsim::CellBlock;
using gsim::Field;
using gsim::FieldLayout;

Block block_of(const LbmConfig& config, const FieldLayout& layout) {
  Block block;
  if (layout.block.empty()) return block;
  block.first = layout.row(layout.block.lo);
  block.stride_y = layout.stride[1];
  block.stride_z = layout.stride[2];
  for (std::size_t a = 0; a < 3; ++a) {
    block.size[a] = layout.block.size(static_cast<int>(a));
    const bool is_periodic = config.boundaries[a] == gsim::Boundary::periodic;
    const bool is_at_end[] = {layout.block.lo[a] == 0, layout.block.hi[a] == config.cells[a]};
    for (std::size_t side = 0; side < 2; ++side) {
      if (!is_periodic && is_at_end[side]) block.end[a][side] = End::wall;
      if (is_periodic && layout.width[a] == 0) block.end[a][side] = End::wrap;
    }
  }
  return block;
}

std::vector<Field> population_fields(const gsim::Context& context, const FieldLayout& layout) {
  std::vector<Field> fields;
  fields.reserve(populations);
  for (int i = 0; i < populations; ++i)
    fields.push_back(Field::of<double>(context.executor, layout));
  return fields;
}

/// A run that starts from vortices has two more columns: their amplitude, and its value by the
/// Navier-Stokes equations.
std::vector<gsim::SeriesColumn> columns_of(bool has_vortices) {
  std::vector<gsim::SeriesColumn> columns = {
      {.name = "density", .description = "mean density of all cells", .digits = 12}};
  for (const char axis : {'x', 'y', 'z'})
    columns.push_back({.name = std::string("velocity_") + axis,
                       .unit = "cells/step",
                       .description = "mean velocity of all cells",
                       .digits = 6});
  columns.push_back({.name = "energy", .description = "mean kinetic energy of all cells"});
  if (has_vortices) {
    columns.push_back({.name = "amplitude", .description = "amplitude of the initial vortices"});
    columns.push_back(
        {.name = "amplitude_exact", .description = "amplitude by the Navier-Stokes equations"});
  }
  return columns;
}

std::string population_path(std::size_t i) {
  return "lbm/population_" + std::string(i < 10 ? "0" : "") + std::to_string(i);
}

}  // namespace

gsim::WorkPlan LbmModule::plan(const gsim::Context& context) {
  context_ = std::make_shared<const gsim::Context>(context);
  vortices_.reset();
  if (config_.start == StartKind::vortices) vortices_.emplace(config_);
  const auto& n = config_.cells;
  const int ranks =
      context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
  const gsim::GridDecomposition grid = config_.decomposition(ranks);
  const gsim::Cell ghosts = gsim::divided_axes(grid);
  double max_bytes = 0;  // two sets of populations, density, velocity, and two products
  for (int r = 0; r < ranks; ++r)
    max_bytes =
        std::max(max_bytes, 8.0 * (2 * populations + 6) *
                                static_cast<double>(FieldLayout::of(grid.block(r), ghosts).rows));

  gsim::WorkPlan plan;
  plan.unit_name = "step";
  plan.total_units = config_.steps;
  plan.summary = std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " +
                 std::to_string(n[2]) + " cells, relaxation rates " +
                 gsim::human_number(config_.even_rate(), 4) + " and " +
                 gsim::human_number(config_.odd_rate(), 4);
  plan.item_name = "cell updates";
  plan.items_per_unit = static_cast<double>(config_.count());
  plan.bytes_per_rank = max_bytes;
  return plan;
}

LbmModule::State::State(const gsim::Context& context, const LbmConfig& config)
    : grid(config.decomposition(context.communicator.size())),
      halo(context.communicator, grid, gsim::divided_axes(grid), context.executor, context.buffers),
      parts(gsim::FieldParts::of(grid, halo.layout())),
      rows(context.communicator, grid),
      now(population_fields(context, halo.layout())),
      next(population_fields(context, halo.layout())),
      density(Field::of<double>(context.executor, halo.layout(), 1, {"density_excess"})),
      velocity(Field::of<double>(context.executor, halo.layout(), 3, {"velocity", "cells/step"})),
      product(Field::of<double>(context.executor, halo.layout(), 2)),
      steps(context.communicator, context.executor) {}

void LbmModule::build() {
  state_ = std::make_unique<State>(*context_, config_);
  table_.emplace("lbm", columns_of(vortices_.has_value()),
                 gsim::SeriesKeys{.every = config_.observe_every});
  const FieldLayout& layout = state_->halo.layout();
  step_args_ = {};
  step_args_.block = block_of(config_, layout);
  step_args_.relaxation.even = config_.even_rate();
  step_args_.relaxation.odd = config_.odd_rate();
  for (std::size_t a = 0; a < 3; ++a) step_args_.relaxation.force[a] = config_.force[a];
  for (int i = 0; i < populations; ++i)
    for (std::size_t a = 0; a < 3; ++a) {
      step_args_.direction[i][a] = directions[i][a];
      for (std::size_t side = 0; side < 2; ++side) {
        // Reflection at a moving wall changes a population by 2 w c . u / c_s^2, c_s^2 = 1/3.
        const Vector& u = config_.wall_velocity[a][side];
        step_args_.wall_momentum[a][side][i] =
            6 * weight(i) *
            (directions[i][0] * u[0] + directions[i][1] * u[1] + directions[i][2] * u[2]);
      }
    }
  for (int k = 0; k < 2 && vortices_; ++k) {
    const std::size_t axis = config_.vortices.axis(k);
    for (const auto* all : {&vortices_->cosine(k), &vortices_->sine(k)})
      state_->waves.emplace_back(
          context_->executor,
          std::span(*all).subspan(
              static_cast<std::size_t>(layout.block.lo[axis]),
              static_cast<std::size_t>(layout.block.size(static_cast<int>(axis)))));
  }
  if (config_.pictures.every == 0) return;
  const Field* const fields[] = {&state_->density, &state_->velocity};
  pictures_ =
      std::make_unique<gsim::FieldSeries>(context_->communicator, state_->grid, config_.image(),
                                          config_.pictures.path(context_->output), fields);
}

void LbmModule::prepare() {
  build();
  gsim::fill_cells(std::span<Field>(state_->now), [&](const gsim::Cell& cell) {
    std::array<double, populations> f{};
    if (vortices_) f = vortices_->start(cell);
    // The velocity includes half of the force.
    for (std::size_t i = 0; i < populations; ++i)
      f[i] += weight(static_cast<int>(i)) * 1.5 *
              (directions[i][0] * config_.force[0] + directions[i][1] * config_.force[1] +
               directions[i][2] * config_.force[2]);
    return f;
  });
  if (pictures_) pictures_->start();
  observe(0);
}

void LbmModule::advance(Index first, Index count) {
  for (const Index end = first + count; first < end;) {
    const Index observed =
        std::min({end, table_->next(first + 1), config_.pictures.next(first + 1)});
    state_->steps.run(observed - first, [&] { step(); });
    first = observed;
    observe(first);
  }
}

/// Ghosts are exchanged while the cells that need none are computed.
void LbmModule::step() {
  State& s = *state_;
  std::vector<Field*> fields;
  std::vector<gsim::Cell> moves;
  for (Field& field : s.now) fields.push_back(&field);
  for (const auto& c : directions) moves.push_back({c[0], c[1], c[2]});
  s.halo.post(fields, moves);
  step_cells(s.parts.inner);
  s.halo.finish();
  for (const CellBlock& part : s.parts.outer) step_cells(part);
  std::swap(s.now, s.next);
}

void LbmModule::step_cells(const CellBlock& cells) {
  if (cells.empty()) return;
  StepArgs args = step_args_;
  const CellBlock& mine = state_->halo.layout().block;
  for (std::size_t i = 0; i < populations; ++i) {
    args.from[i] = state_->now[i].elements<double>().data;
    args.to[i] = state_->next[i].elements<double>().data;
  }
  for (std::size_t a = 0; a < 3; ++a) {
    args.part.lo[a] = cells.lo[a] - mine.lo[a];
    args.part.size[a] = cells.size(static_cast<int>(a));
  }
  gsim::lbm_step(context_->executor, args);
}

void LbmModule::find_moments() {
  State& s = *state_;
  MomentsArgs args;
  args.loop = gsim::CellLoop::of(s.halo.layout());
  for (std::size_t i = 0; i < populations; ++i) args.from[i] = s.now[i].view<double>();
  args.density_deviation = s.density.view<double>();
  args.velocity = s.velocity.view<double, 3>();
  args.product = s.product.view<double, 2>();
  for (std::size_t a = 0; a < 3; ++a) args.force[a] = config_.force[a];
  for (std::size_t k = 0; k < 2 && vortices_; ++k) {
    args.axis[k] = static_cast<int>(config_.vortices.axis(static_cast<int>(k)));
    args.scale[k] = vortices_->scale()[k];
    args.cosine[k] = s.waves[2 * k].view().data;
    args.sine[k] = s.waves[2 * k + 1].view().data;
  }
  gsim::lbm_moments(context_->executor, args);
}

/// The row of the table, after find_moments().
std::vector<double> LbmModule::row_of(Index step) {
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "observe");
  const auto cells = static_cast<double>(config_.count());
  const auto& comm = context_->communicator;
  const auto velocity = gsim::sum_cells(comm, state_->velocity, {"velocity", step});
  const auto product = gsim::sum_cells(comm, state_->product, {"product", step});
  const auto density = gsim::sum_cells(comm, state_->density, {"density", step});
  std::vector<double> row{1 + density[0] / cells, velocity[0] / cells, velocity[1] / cells,
                          velocity[2] / cells, product[0] / cells};
  if (vortices_)
    row.insert(row.end(),
               {product[1] / vortices_->square(), config_.vortices.speed * vortices_->decay(step)});
  return row;
}

void LbmModule::observe(Index step) {
  const bool is_picture = config_.pictures.is_due(step);
  if (!table_->is_due(step) && !is_picture) return;
  find_moments();
  if (table_->is_due(step)) table_->append(step, row_of(step));
  if (is_picture) {
    const gsim::RegionTimer::Scope scope(context_->timer.get(), "pictures");
    const Field* const fields[] = {&state_->density, &state_->velocity};
    pictures_->append(static_cast<double>(step), fields);
  }
}

/// Called at the end of the run, for which a row is added even if none is due.
gsim::Evaluation LbmModule::evaluate(Index done) {
  find_moments();
  if (!table_->is_due(done)) table_->append_end(done, row_of(done));
  probed_ = probe(context_->communicator, config_, state_->velocity);
  return {};
}

std::vector<gsim::Estimate> LbmModule::estimates() const {
  std::vector<gsim::Estimate> all;
  // The method is deterministic: the standard errors are 0.
  const auto add = [&](const char* name, double mean) {
    gsim::Estimate e;
    e.name = name;
    e.mean = mean;
    e.standard_error = 0;
    e.count = config_.count();
    all.push_back(e);
  };
  add("mean density", table_->last("density"));
  add("mean kinetic energy", table_->last("energy"));
  if (vortices_) add("amplitude", table_->last("amplitude"));
  return all;
}

void LbmModule::save(gsim::DatasetWriter& writer) const {
  for (std::size_t i = 0; i < populations; ++i)
    gsim::save_field<double>(writer, population_path(i), state_->rows, state_->now[i]);
  table_->save(writer);
  if (pictures_) pictures_->save(writer, "lbm/pictures");
}

void LbmModule::restore(gsim::DatasetReader& reader) {
  build();
  for (std::size_t i = 0; i < populations; ++i)
    gsim::restore_field<double>(reader, population_path(i), state_->rows, state_->now[i]);
  table_->restore(reader);
  find_moments();
  if (pictures_) pictures_->restore(reader, "lbm/pictures");
}

void LbmModule::write_results(gsim::DatasetWriter& writer) const {
  table_->write_results(writer);
  for (std::size_t a = 0; a < 3 && !probed_.empty(); ++a) {
    std::vector<double> coordinates, velocity;
    for (std::size_t p = 0; p < probed_.size(); ++p) {
      coordinates.push_back(config_.probes[p][a]);
      velocity.push_back(probed_[p][a]);
    }
    writer.write("probes/" + std::string(1, "xyz"[a]), coordinates);
    writer.write("probes/velocity_" + std::string(1, "xyz"[a]), velocity);
  }
  gsim::save_field<double>(writer, "density_excess", state_->rows, state_->density);
  gsim::save_field<double>(writer, "velocity", state_->rows, state_->velocity);
  if (pictures_) pictures_->finish();
}

gsim::ReportTable LbmModule::report() const {
  gsim::ReportTable table = table_->report();
  if (pictures_) table.footer.push_back(pictures_->summary());
  return table;
}

std::uint64_t LbmModule::digest() const {
  gsim::Digest digest;
  digest.add(state_->rows.digest<double>(state_->density));
  digest.add(state_->rows.digest<double>(state_->velocity));
  digest.add(table_->digest());
  for (const Vector& u : probed_) digest.add(std::span<const double>(u));
  if (pictures_) digest.add(pictures_->digest());
  return digest.value();
}

}  // namespace lbm
