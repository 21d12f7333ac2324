// Volumes and geometry errors from sampled points and traced rays, and plots of slices.

#include <cmath>
#include <fstream>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <png.h>

#include "src/modules/transport/geometry/volumes/traced_volumes.hpp"
#include "src/modules/transport/plots/slice_picture.hpp"
#include "support/scratch_folder.hpp"
#include "tests/unit/transport/geometry/geometry_fixture.hpp"

using namespace gsim;
using namespace gsim::transport;

namespace {

const StreamId stream{11, Purpose::test};

/// A steel shell around a fuel ball in water. `is_faulty`: the shell overlaps the ball, and there
/// is a gap around the shell.
std::string shell_config(bool is_faulty) {
  return fmt::format(R"(
[[box]]
name = "w"
lower = [-2, -2, -2]
upper = [2, 2, 2]
boundary = "vacuum"
[[surface]]
name = "fuel"
kind = "sphere"
radius = 1.0
[[surface]]
name = "inner"
kind = "sphere"
radius = {}
[[surface]]
name = "outer"
kind = "sphere"
radius = 1.5
[[surface]]
name = "water_inner"
kind = "sphere"
radius = {}
[[cell]]
name = "fuel"
region = "-fuel"
fill = "fuel"
[[cell]]
name = "shell"
region = "+inner -outer"
fill = "steel"
[[cell]]
name = "water"
region = "-w +water_inner"
fill = "water"
)",
                     is_faulty ? 0.9 : 1.0, is_faulty ? 1.6 : 1.5);
}

double sphere_volume(double r) { return 4 * M_PI / 3 * r * r * r; }

bool are_equal(const PointCounts& a, const PointCounts& b) {
  bool is_same = a.points == b.points && a.outside == b.outside && a.undefined == b.undefined &&
                 a.overlapping == b.overlapping && a.in_cell == b.in_cell &&
                 a.in_material == b.in_material && a.faults.size() == b.faults.size();
  for (std::size_t i = 0; is_same && i < a.faults.size(); ++i)
    is_same = a.faults[i].first == b.faults[i].first && a.faults[i].count == b.faults[i].count &&
              a.faults[i].position.x == b.faults[i].position.x;
  return is_same;
}

}  // namespace

TEST_CASE("geometry samples: volumes from points and from rays agree with exact ones") {
  const Geometry g = geometry_of(shell_config(false));
  ThreadPool pool(2);
  const SampleBox box = bounding_box(g);
  CHECK(box.lower == std::array<double, 3>{-2, -2, -2});
  CHECK(box.upper == std::array<double, 3>{2, 2, 2});
  const double exact_volumes[] = {sphere_volume(1.0), sphere_volume(1.5) - sphere_volume(1.0),
                                  64 - sphere_volume(1.5)};
  const PointCounts points = sample_points(g, pool, box, {0, 100000}, stream);
  CHECK(points.points == 100000);
  CHECK(points.faults.empty());
  CHECK(points.outside == 0);
  const ChordSums rays = trace_rays(g, pool, box, 2, {0, 20000}, stream);
  CHECK(rays.lost == 0);
  const auto ray_volumes = volumes_of(rays, box);
  for (std::size_t cell = 0; cell < 3; ++cell) {
    const VolumeEstimate v = volume_of(points.in_cell[cell], points.points, box);
    CHECK(std::abs(v.mean - exact_volumes[cell]) < 3.5 * v.error);
    CHECK(v.error < 0.1);
    CHECK(std::abs(ray_volumes[cell].mean - exact_volumes[cell]) < 3.5 * ray_volumes[cell].error);
    CHECK(ray_volumes[cell].error < 0.2);
  }
  CHECK(points.in_material ==
        std::vector<Index>{points.in_cell[0], points.in_cell[2], points.in_cell[1], 0});
  // The chords of each ray fill the box, so that the volumes add up to that of the box.
  CHECK(ray_volumes[0].mean + ray_volumes[1].mean + ray_volumes[2].mean ==
        doctest::Approx(64).epsilon(1e-6));
}

TEST_CASE(
    "geometry samples: overlaps and gaps are found and named, with the same counts for any number "
    "of threads and any division of the points") {
  const Geometry g = geometry_of(shell_config(true));
  ThreadPool one_thread(1), three_threads(3);
  const SampleBox box{{-3, -2, -2}, {2, 2, 2}};
  const PointCounts reference = sample_points(g, one_thread, box, {0, 30000}, stream);
  PointCounts in_two_parts = sample_points(g, three_threads, box, {0, 7001}, stream);
  in_two_parts.add(sample_points(g, three_threads, box, {7001, 30000}, stream));
  CHECK(are_equal(reference, in_two_parts));
  REQUIRE(reference.faults.size() == 2);
  const VolumeEstimate gap = volume_of(reference.undefined, reference.points, box);
  const VolumeEstimate overlap = volume_of(reference.overlapping, reference.points, box);
  const VolumeEstimate outside = volume_of(reference.outside, reference.points, box);
  CHECK(std::abs(gap.mean - (sphere_volume(1.6) - sphere_volume(1.5))) < 3.5 * gap.error);
  CHECK(std::abs(overlap.mean - (sphere_volume(1.0) - sphere_volume(0.9))) < 3.5 * overlap.error);
  CHECK(std::abs(outside.mean - 16) < 3.5 * outside.error);
  CHECK(describe_fault(g, reference.faults[0]).find("universe `root` is undefined at (") == 0);
  CHECK(describe_fault(g, reference.faults[1])
            .find("cells `fuel` and `shell` of universe `root` overlap") == 0);
  for (const GeometryFault& fault : reference.faults) {
    const Vector3 x = fault.position;
    const double r = std::sqrt(x.x * x.x + x.y * x.y + x.z * x.z);
    CHECK((fault.cells[0] < 0 ? r > 1.5 && r < 1.6 : r > 0.9 && r < 1.0));
  }
}

TEST_CASE("geometry samples: rays give the same sums for any number of threads and any division") {
  const Geometry g = geometry_of(shell_config(false));
  ThreadPool one_thread(1), three_threads(3);
  const SampleBox box{{-3, -3, -3}, {3, 3, 3}};
  const ChordSums reference = trace_rays(g, one_thread, box, 0, {0, 3000}, stream);
  ChordSums in_two_parts = trace_rays(g, three_threads, box, 0, {0, 1234}, stream);
  in_two_parts.add(trace_rays(g, three_threads, box, 0, {1234, 3000}, stream));
  CHECK(reference.chord == in_two_parts.chord);
  CHECK(reference.chord_squared == in_two_parts.chord_squared);
  CHECK(volumes_of(reference, box)[0].mean == doctest::Approx(sphere_volume(1.0)).epsilon(0.1));
}

TEST_CASE(
    "geometry samples: a plot has the colours of materials and faults, and is written as PNG") {
  const Geometry g = geometry_of(shell_config(true));
  ThreadPool pool(2);
  SliceOptions options;
  options.up = 2;
  options.size = {5, 4};
  options.pixels = {50, 40};
  const Picture picture = draw_slice(g, pool, options);
  const auto pixel = [&](Index column, Index row) {
    const auto* p = &picture.rgb[static_cast<std::size_t>(3 * (row * picture.columns + column))];
    return Colour{p[0], p[1], p[2]};
  };
  const auto colour = [&](const std::string& name) {
    for (const auto& entry : picture.legend)
      if (entry.name == name) return entry.colour;
    FAIL("nothing in the legend is called ", name);
    return Colour{};
  };
  CHECK(pixel(25, 20) == colour("fuel"));
  CHECK(pixel(25, 8) == colour("steel"));
  CHECK(pixel(25, 1) == colour("water"));
  CHECK(pixel(0, 0) == Colour{0, 0, 0});  // outside
  CHECK(pixel(34, 20) == overlap_colour);
  CHECK(pixel(40, 20) == gap_colour);
  CHECK(colour("fuel") != colour("water"));
  CHECK(colour("fuel") != colour("steel"));
  CHECK(colour_of("void", 3) == Colour{255, 255, 255});
  Index pixels = 0;
  for (const auto& entry : picture.legend) pixels += entry.pixels;
  CHECK(pixels == 2000);
  REQUIRE(picture.legend.size() == 6);
  CHECK(picture.legend[3].name == "outside");
  CHECK(picture.legend[4].name.find("undefined: a GAP between cells, ") == 0);
  CHECK(picture.legend[5].name.find("OVERLAP of cells, such as `fuel` and `shell`, ") == 0);
  CHECK(picture.legend[5].colour == overlap_colour);
  CHECK(picture.legend[5].name.find(fmt::format("{} pixels, the first at (",
                                                picture.legend[5].pixels)) != std::string::npos);

  const test::ScratchFolder folder;
  const std::string path = folder / "slice.png";
  write_png(path, picture.columns, picture.rows, picture.rgb);
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  CHECK(image.width == 50);
  CHECK(image.height == 40);
  image.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> read(PNG_IMAGE_SIZE(image));
  REQUIRE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr) != 0);
  CHECK(read == picture.rgb);
  CHECK_NOTHROW(write_png(folder / "none/slice.png", picture.columns, picture.rows, picture.rgb));
  CHECK_THROWS_AS(
      write_png(folder / "slice.png/slice.png", picture.columns, picture.rows, picture.rgb),
      IoError);
}
