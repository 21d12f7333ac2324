#include "heat_module.hpp"

#include <algorithm>

#include <gsim/core/digest.hpp>
#include <gsim/core/text.hpp>
#include <gsim/domain/field_sums.hpp>
#include <gsim/domain/fill_cells.hpp>
#include <gsim/engine/field_state.hpp>

namespace heat {
namespace {

using gsim::CellBlock;
using gsim::Field;
using gsim::FieldLayout;

constexpr Index large_field = Index{32} << 20;  // bytes from which non-temporal stores are used

/// One layer of ghosts for the 7-point Laplacian, except along periodic axes that are not divided
/// among ranks.
gsim::Cell ghosts_of(const gsim::GridDecomposition& grid) {
  gsim::Cell width = gsim::divided_axes(grid);
  for (int a = 0; a < 3; ++a)
    if (grid.boundary(a) == gsim::Boundary::open) width[static_cast<std::size_t>(a)] = 1;
  return width;
}

/// A run that starts from a mode has three more columns: the computed amplitude of the mode, and
/// the exact amplitudes of the discretised and of the continuous heat equation.
std::vector<gsim::SeriesColumn> columns_of(bool has_mode) {
  std::vector<gsim::SeriesColumn> columns = {
      {.name = "time", .description = "time since step 0", .digits = 6},
      {.name = "mean", .description = "mean temperature of all cells", .digits = 10}};
  if (has_mode)
    columns.insert(
        columns.end(),
        {{.name = "amplitude", .description = "amplitude of the initial mode", .digits = 10},
         {.name = "amplitude_of_method",
          .description = "exact amplitude of the discretised equation",
          .digits = 10},
         {.name = "amplitude_of_equation",
          .description = "exact amplitude of the heat equation",
          .digits = 10}});
  return columns;
}

}  // namespace

gsim::WorkPlan HeatModule::plan(const gsim::Context& context) {
  context_ = std::make_shared<const gsim::Context>(context);
  mode_.reset();
  if (config_.start == StartKind::mode) mode_.emplace(config_);
  const auto& n = config_.grid.cells;
  const auto cells = static_cast<double>(config_.grid.count());
  const int ranks =
      context.forecast_ranks > 0 ? context.forecast_ranks : context.communicator.size();
  const gsim::GridDecomposition grid = config_.grid.decomposition(ranks);
  const gsim::Cell ghosts = ghosts_of(grid);
  double max_bytes = 0;  // largest size of two fields of doubles on a rank
  for (int r = 0; r < ranks; ++r)
    max_bytes = std::max(max_bytes,
                         16.0 * static_cast<double>(FieldLayout::of(grid.block(r), ghosts).rows));

  gsim::WorkPlan plan;
  plan.unit_name = "step";
  plan.total_units = config_.steps;
  plan.summary = std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " +
                 std::to_string(n[2]) +
                 " cells, D dt / h^2 = " + gsim::human_number(config_.diffusion_number(0), 4) +
                 " " + gsim::human_number(config_.diffusion_number(1), 4) + " " +
                 gsim::human_number(config_.diffusion_number(2), 4);
  plan.item_name = "cell updates";
  plan.items_per_unit = cells;
  plan.bytes_per_rank = max_bytes;
  return plan;
}

HeatModule::State::State(const gsim::Context& context, const HeatConfig& config)
    : grid(config.grid.decomposition(context.communicator.size())),
      halo(context.communicator, grid, ghosts_of(grid), context.executor, context.buffers),
      parts(gsim::FieldParts::of(grid, halo.layout())),
      boundary(grid, halo.layout()),
      rows(context.communicator, grid),
      now(Field::of<double>(context.executor, halo.layout(), 1,
                            {"temperature", config.temperature_unit})),
      next(Field::of<double>(context.executor, halo.layout(), 1, now.quantity())),
      steps(context.communicator, context.executor) {
  config.grid.set_conditions(boundary);
}

void HeatModule::build() {
  state_ = std::make_unique<State>(*context_, config_);
  table_.emplace("heat", columns_of(mode_.has_value()),
                 gsim::SeriesKeys{.every = config_.observe_every});
  const CellBlock& block = state_->halo.layout().block;
  for (std::size_t a = 0; a < 3 && mode_; ++a) {
    const auto& all = mode_->along()[a];
    state_->modes.emplace_back(
        context_->executor,
        std::span(all).subspan(static_cast<std::size_t>(block.lo[a]),
                               static_cast<std::size_t>(block.size(static_cast<int>(a)))));
  }
  if (config_.pictures.every == 0) return;
  const Field* const fields[] = {&state_->now};
  pictures_ = std::make_unique<gsim::FieldSeries>(context_->communicator, state_->grid,
                                                  config_.grid.image(config_.time_unit),
                                                  config_.pictures.path(context_->output), fields);
}

double HeatModule::initial_temperature(const gsim::Cell& cell) const {
  if (mode_) {
    double product = config_.amplitude;
    for (std::size_t a = 0; a < 3; ++a)
      product *= mode_->along()[a][static_cast<std::size_t>(cell[a])];
    return config_.background + product;
  }
  bool is_inside = true;
  for (std::size_t a = 0; a < 3; ++a) {
    const double centre =
        config_.grid.origin[a] + config_.grid.spacing[a] * (static_cast<double>(cell[a]) + 0.5);
    is_inside = is_inside && config_.lower[a] <= centre && centre < config_.upper[a];
  }
  return is_inside ? config_.value : config_.background;
}

void HeatModule::prepare() {
  build();
  gsim::fill_cells(state_->now, [&](const gsim::Cell& cell) { return initial_temperature(cell); });
  if (pictures_) pictures_->start();
  observe(0);
}

void HeatModule::advance(Index first, Index count) {
  for (const Index end = first + count; first < end;) {
    const Index observed =
        std::min({end, table_->next(first + 1), config_.pictures.next(first + 1)});
    state_->steps.run(observed - first, [&] { step(); });
    first = observed;
    observe(first);
  }
}

/// Called at the end of the run, for which a row is added even if observe_every requires none.
gsim::Evaluation HeatModule::evaluate(Index done) {
  if (!table_->is_due(done)) table_->append_end(done, row_of(done));
  return {};
}

/// Ghosts are exchanged while the cells that need none are computed.
void HeatModule::step() {
  State& s = *state_;
  Field* const fields[] = {&s.now};
  const FieldLayout& layout = s.halo.layout();
  StepArgs args{
      {},
      s.now.view<double>(),
      s.next.view<double>(),
      {config_.diffusion_number(0), config_.diffusion_number(1), config_.diffusion_number(2)}};
  gsim::while_exchanging(
      s.halo, fields, s.parts, [&] { s.boundary.fill(s.now); },
      [&](const CellBlock& part) {
        args.loop = gsim::CellLoop::of(layout, part);
        args.loop.past_caches = layout.rows * Index{sizeof(double)} >= large_field;
        gsim::heat_step(context_->executor, args);
      });
  std::swap(s.now, s.next);
}

/// The amplitude of the mode: the projection sum u_i m_i / sum m_i^2.
double HeatModule::amplitude() {
  State& s = *state_;
  ProjectArgs args{gsim::CellLoop::of(s.halo.layout()), s.now.view<double>(),
                   s.next.view<double>(),  // overwritten by the next step
                   config_.background};
  for (std::size_t a = 0; a < 3; ++a) args.along[a] = s.modes[a].view().data;
  gsim::heat_project(context_->executor, args);
  return gsim::sum_cells(context_->communicator, s.next)[0] / mode_->sum_of_squares();
}

std::vector<double> HeatModule::row_of(Index step) {
  const gsim::RegionTimer::Scope scope(context_->timer.get(), "observe");
  const auto cells = static_cast<double>(config_.grid.count());
  const auto sum = gsim::sum_cells(context_->communicator, state_->now, {.step = step});
  std::vector<double> row{config_.time_step * static_cast<double>(step), sum[0] / cells};
  if (mode_) {
    const bool is_first = table_->rows() == 0;
    double discrete = is_first ? config_.amplitude : table_->last("amplitude_of_method");
    for (Index n = is_first ? 0 : table_->step(table_->rows() - 1); n < step; ++n)
      discrete *= mode_->step_factor();
    row.insert(row.end(), {amplitude(), discrete, config_.amplitude * mode_->decay(step)});
  }
  return row;
}

void HeatModule::observe(Index step) {
  if (table_->is_due(step)) table_->append(step, row_of(step));
  if (config_.pictures.is_due(step)) {
    const gsim::RegionTimer::Scope scope(context_->timer.get(), "pictures");
    const Field* const fields[] = {&state_->now};
    pictures_->append(config_.time_step * static_cast<double>(step), fields);
  }
}

std::vector<gsim::Estimate> HeatModule::estimates() const {
  // The method is deterministic: the standard errors are 0.
  std::vector<gsim::Estimate> all(1);
  all[0].name = "mean temperature";
  all[0].mean = table_->last("mean");
  if (mode_) {
    all.push_back({});
    all[1].name = "amplitude";
    all[1].mean = table_->last("amplitude");
  }
  for (gsim::Estimate& e : all) {
    e.standard_error = 0;
    e.count = config_.grid.count();
  }
  return all;
}

void HeatModule::save(gsim::DatasetWriter& writer) const {
  gsim::save_field<double>(writer, "heat/temperature", state_->rows, state_->now);
  table_->save(writer);
  if (pictures_) pictures_->save(writer, "heat/pictures");
}

void HeatModule::restore(gsim::DatasetReader& reader) {
  build();
  gsim::restore_field<double>(reader, "heat/temperature", state_->rows, state_->now);
  table_->restore(reader);
  if (pictures_) pictures_->restore(reader, "heat/pictures");
}

void HeatModule::write_results(gsim::DatasetWriter& writer) const {
  table_->write_results(writer);
  gsim::save_field<double>(writer, "temperature", state_->rows, state_->now);
  if (pictures_) pictures_->finish();
}

gsim::ReportTable HeatModule::report() const {
  gsim::ReportTable table = table_->report();
  if (pictures_) table.footer.push_back(pictures_->summary());
  return table;
}

std::uint64_t HeatModule::digest() const {
  gsim::Digest digest;
  digest.add(state_->rows.digest<double>(state_->now));
  digest.add(table_->digest());
  if (pictures_) digest.add(pictures_->digest());
  return digest.value();
}

}  // namespace heat
