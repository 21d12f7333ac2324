#include "tests/unit/transport/tallies/tallies_fixture.hpp"

#include "kernels/transport/tallies/tallies.hpp"

namespace gsim::transport::compiled_kernels {

namespace kernels = transport_kernels;

void score_track(const TallyView& t, const TallySink& sink, const TallyState& s, double from,
                 double to) {
  kernels::score_track(t, sink, s, from, to);
  kernels::score_whole_track(t, sink, s, from, to);
}
void score_collision(const TallyView& t, const TallySink& sink, const TallyState& s, double path,
                     double cross_section) {
  kernels::score_collision(t, sink, s, path, cross_section);
}
void score_analog(const TallyView& t, const TallySink& sink, const TallyState& s, double path,
                  double absorbed, double scattered, double leaving) {
  kernels::score_analog(t, sink, s, path, absorbed, scattered, leaving);
}
void score_crossing(const TallyView& t, const TallySink& sink, const GeometryView& g,
                    const TallyState& s, double path, const Crossing& crossing,
                    const Coordinates& after) {
  kernels::score_crossing(t, sink, g, s, path, crossing, after);
  const bool is_reentry =
      crossing.kind == CrossingKind::reflected || crossing.kind == CrossingKind::translated;
  if (!is_reentry) return;
  TallyState arriving = s;
  arriving.origin = after.level[0].origin;
  arriving.direction = after.level[0].direction;
  kernels::score_reentry(t, sink, g, arriving, after);
}
std::int32_t faulty_tally(const TallySink& sink) { return sink.fault->tally; }

double sum_at(const TallySink& sink, Index value) {
  return ExactSum(kernels::integer_of(sink.sums[value])).value(score_resolution);
}
FixedPointTotal total(const TallySink& sink, Index first, Index values) {
  WideInteger sum = 0;
  for (Index i = first; i < first + values; ++i) sum += kernels::integer_of(sink.sums[i]);
  const TallySum halves = kernels::halves_of(sum);
  return {halves.low, halves.high};
}

}  // namespace gsim::transport::compiled_kernels
