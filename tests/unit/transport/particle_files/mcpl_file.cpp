#include "src/modules/transport/particle_files/mcpl_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "gsim/core/error.hpp"
#include "gsim/transport/history_random.hpp"
#include "kernels/transport/collisions/scattering.hpp"
#include "src/modules/transport/extensions.hpp"
#include "src/modules/transport/materials/materials_config.hpp"
#include "src/modules/transport/particle_files/mcpl_source.hpp"
#include "src/modules/transport/sources/source_config.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

using namespace gsim;
using namespace gsim::transport;
using gsim::test::contains;
using gsim::test::message_of;

namespace {

/// Directions along axes, along diagonals, nearly along axes, and random ones.
std::vector<Vector3> directions() {
  std::vector<Vector3> list;
  for (const double x : {-1.0, 0.0, 1.0, 1e-9, -1e-300})
    for (const double y : {-1.0, 0.0, 1.0, 1e-9})
      for (const double z : {-1.0, 0.0, -0.0, 1.0, -1e-9, 1e-40})
        if (x * x + y * y + z * z > 0.5) list.push_back(unit({x, y, z}));
  transport_kernels::HistoryRandom random(stream_key({3, Purpose::transport_history}), 1);
  for (int i = 0; i < 1000; ++i) list.push_back(transport_kernels::isotropic_direction(random));
  return list;
}

McplParticle particle(int i) {
  const auto d = directions();
  const Vector3 u = d[static_cast<std::size_t>(i) % d.size()];
  McplParticle p;
  for (int a = 0; a < 3; ++a) {
    p.position[a] = i + 0.25 * a;
    p.polarisation[a] = a == i % 3 ? 1 : 0;
  }
  p.direction[0] = u.x;
  p.direction[1] = u.y;
  p.direction[2] = u.z;
  p.energy = 0.5 + i % 7;
  p.time = i / 8.0;
  p.weight = 1 + i % 4;
  p.pdg = i % 5 == 4 ? 22 : 2112;
  p.flags = static_cast<std::uint32_t>(3 * i);
  return p;
}

void write(const std::string& path, const McplHeader& header, int count) {
  McplWriter writer(path, header);
  for (int i = 0; i < count; ++i) writer.write(particle(i));
  writer.close();
}

}  // namespace

TEST_CASE(
    "mcpl: packed directions are unpacked with their accuracy in both versions of the format") {
  for (const int version : {2, 3})
    for (const Vector3& u : directions()) {
      const double direction[3] = {u.x, u.y, u.z};
      double packed[3], unpacked[3], energy;
      pack_direction(version, direction, 2.5, packed);
      unpack_direction(version, packed, unpacked, energy);
      CHECK(energy == 2.5);
      for (int a = 0; a < 3; ++a) CHECK(std::abs(unpacked[a] - direction[a]) < 1e-15);
      // Records in single precision contain the packed numbers as floats.
      for (double& x : packed) x = static_cast<float>(x);
      unpack_direction(version, packed, unpacked, energy);
      for (int a = 0; a < 3; ++a) CHECK(std::abs(unpacked[a] - direction[a]) < 3e-7);
    }
}

TEST_CASE("mcpl: packed directions agree with the documentation of the format") {
  // Version 3: the packed numbers are x and y if |z| is the largest component; otherwise 1 / z
  // takes the place of the largest one. The energy has the sign of the omitted component.
  const double u[3] = {-0.8, 0.36, 0.48};
  double packed[3];
  pack_direction(3, u, 2, packed);
  CHECK(packed[0] == doctest::Approx(1 / 0.48));
  CHECK(packed[1] == 0.36);
  CHECK(packed[2] == -2);
  const double v[3] = {0.36, 0.48, -0.8};
  pack_direction(3, v, 2, packed);
  CHECK(packed[0] == 0.36);
  CHECK(packed[1] == 0.48);
  CHECK(packed[2] == -2);
  // Version 2: the lower half of the octahedron is unfolded.
  pack_direction(2, v, 2, packed);
  const double n = 0.36 + 0.48 + 0.8;
  CHECK(packed[0] == doctest::Approx(1 - 0.48 / n));
  CHECK(packed[1] == doctest::Approx(1 - 0.36 / n));
  CHECK(packed[2] == 2);
}

TEST_CASE(
    "mcpl: files of both versions and all options are read as written, plain and compressed") {
  const test::ScratchFolder folder;
  for (const int version : {2, 3})
    for (int options = 0; options < 16; ++options)
      for (const char* name : {"a.mcpl", "a.mcpl.gz"}) {
        McplHeader header;
        header.version = version;
        header.source_name = "gsim test";
        header.comments = {"one", "two"};
        header.blobs = {{"key", std::string("\0x", 2)}};
        header.is_single = (options & 1) == 0;
        header.has_polarisation = (options & 2) != 0;
        header.has_flags = (options & 4) != 0;
        header.common_pdg = (options & 8) != 0 ? 2112 : 0;
        header.common_weight = (options & 8) != 0 ? 2 : 0;
        write(folder / name, header, 37);
        McplReader reader(folder / name);
        REQUIRE(reader.particles() == 37);
        CHECK(reader.header().version == version);
        CHECK(reader.header().comments == header.comments);
        CHECK(reader.header().blobs == header.blobs);
        CHECK(reader.header().source_name == header.source_name);
        std::vector<McplParticle> read(50);
        CHECK(reader.read(read) == 37);
        CHECK(reader.read(read) == 0);
        reader.seek(30);
        CHECK(reader.read(std::span(read).subspan(30)) == 7);
        const double tolerance = header.is_single ? 3e-7 : 1e-15;
        for (int i = 0; i < 37; ++i) {
          const McplParticle& p = read[static_cast<std::size_t>(i)];
          const McplParticle expected = particle(i);
          for (int a = 0; a < 3; ++a) {
            CHECK(p.position[a] == expected.position[a]);
            CHECK(std::abs(p.direction[a] - expected.direction[a]) < tolerance);
            CHECK(p.polarisation[a] == (header.has_polarisation ? expected.polarisation[a] : 0));
          }
          CHECK(p.energy == expected.energy);
          CHECK(p.time == expected.time);
          CHECK(p.weight == (header.common_weight != 0 ? 2 : expected.weight));
          CHECK(p.pdg == (header.common_pdg != 0 ? 2112 : expected.pdg));
          CHECK(p.flags == (header.has_flags ? expected.flags : 0));
        }
        CHECK(!std::filesystem::exists(folder / (std::string(name) + ".partial")));
      }
}

TEST_CASE("mcpl: invalid files are refused") {
  const test::ScratchFolder folder;
  const auto error_message = [&](const std::string& name) {
    return message_of<InputError>([&] {
      McplReader reader(folder / name);
      std::vector<McplParticle> particles(reader.particles());
      reader.read(particles);
    });
  };
  CHECK(contains(error_message("none"), "it cannot be opened"));
  std::ofstream(folder / "text") << "no list at all";
  CHECK(contains(error_message("text"), "it is not an MCPL file"));
  write(folder / "good", {}, 5);
  std::ifstream file(folder / "good", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  const auto error_with_byte = [&](std::size_t offset, char byte) {
    std::string changed = bytes;
    changed[offset] = byte;
    std::ofstream(folder / "bad", std::ios::binary) << changed;
    return error_message("bad");
  };
  // Offsets in the header: 6 last digit of the version, 8 number of particles, 40 record size.
  CHECK(contains(error_with_byte(6, '4'), "it is of MCPL version 004"));
  CHECK(contains(error_with_byte(8, 6), "it ends too early"));
  CHECK(contains(error_with_byte(8, 0), "it was never closed"));
  CHECK(contains(error_with_byte(40, 99), "its records have 99 bytes"));
  std::ofstream(folder / "cut", std::ios::binary) << bytes.substr(0, bytes.size() - 1);
  CHECK(contains(error_message("cut"), "it ends too early"));
}

TEST_CASE("mcpl: files of the other byte order are read") {
  const test::ScratchFolder folder;
  McplHeader header;
  header.source_name.clear();
  header.common_pdg = 2112;
  header.common_weight = 1;
  write(folder / "native", header, 3);
  std::ifstream file(folder / "native", std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  // Byte 7 of an MCPL file says the byte order: L for little-endian, B for big-endian. The header
  // continues with the number of particles (8 bytes), eight integers of 4 bytes and the common
  // weight (8 bytes); the length 0 of a text and the particles, all floats, follow.
  bytes[7] = bytes[7] == 'L' ? 'B' : 'L';
  const auto swap = [&](std::size_t offset, std::size_t size) {
    std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(offset),
                 bytes.begin() + static_cast<std::ptrdiff_t>(offset + size));
  };
  swap(8, 8);
  for (std::size_t offset = 16; offset < 48; offset += 4) swap(offset, 4);
  swap(48, 8);
  for (std::size_t offset = 56; offset < bytes.size(); offset += 4) swap(offset, 4);
  std::ofstream(folder / "other", std::ios::binary) << bytes;
  McplReader a(folder / "native"), b(folder / "other");
  std::vector<McplParticle> first(3), second(3);
  CHECK(a.read(first) == 3);
  CHECK(b.read(second) == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(first[i].position[0] == second[i].position[0]);
    CHECK(first[i].direction[2] == second[i].direction[2]);
    CHECK(first[i].time == second[i].time);
  }
}

TEST_CASE(
    "mcpl source: histories start from the same particles of the file, whatever the order of "
    "reading") {
  const test::ScratchFolder folder;
  McplHeader header;
  header.is_single = false;
  for (const char* name : {"s.mcpl", "s.mcpl.gz"}) {
    write(folder / name, header, 100);
    // Energies 0.5 to 6.5 MeV; 6.5 is outside of the groups. A fifth are photons.
    McplSource source(folder / name, 2112, {6e6, 2e6, 0});
    Index expected = 0;
    double weight = 0;
    for (int i = 0; i < 100; ++i)
      if (particle(i).pdg == 2112 && particle(i).energy < 6) {
        ++expected;
        weight += particle(i).weight;
      }
    CHECK(source.size() == expected);
    CHECK(source.total_weight() == weight);
    CHECK(source.notes().size() == 2);
    const auto particles = source.particles({0, 3 * expected});
    double sum = 0;
    for (Index h = 0; h < expected; ++h) sum += particles[static_cast<std::size_t>(h)].weight;
    CHECK(sum == doctest::Approx(static_cast<double>(expected)));
    McplSource reopened(folder / name, 2112, {6e6, 2e6, 0});
    CHECK(reopened.digest() == source.digest());
    for (const Index first : {Index{5}, 2 * expected - 3, Index{0}, expected}) {
      const auto part = reopened.particles({first, first + 10});
      for (std::size_t i = 0; i < 10; ++i) {
        const SourceParticle& p = particles[(static_cast<std::size_t>(first) + i)];
        CHECK(part[i].position.x == p.position.x);
        CHECK(part[i].weight == p.weight);
        CHECK(part[i].group == p.group);
      }
    }
    CHECK(particles[0].group == 1);
    CHECK(particles[1].time == doctest::Approx(0.125e-3));
    CHECK_THROWS_WITH_AS(McplSource(folder / name, 11, {}), doctest::Contains("none of its 100"),
                         InputError);
  }
}

TEST_CASE("mcpl source: a source file excludes other keys and other sources") {
  const test::ScratchFolder folder;
  write(folder / "s.mcpl.gz", {}, 3);
  const auto read = [&](const std::string& text) {
    MaterialSet materials;
    SourcesConfig config;
    auto file = ConfigFile::parse("[[material]]\nname = \"a\"\ncapture = [1.0]\n" + text,
                                  folder / "run.toml");
    file.read([&](Section& top) {
      describe_materials(top, materials);
      describe_sources(top, materials.groups, Extensions::builtin().sources, config);
    });
    validate_sources(materials, config);
    return config;
  };
  const std::string file = "[[source]]\nfile = \"s.mcpl.gz\"\n";
  const SourcesConfig config = read(file);
  CHECK(config.is_file());
  CHECK(config.list[0].file == folder / "s.mcpl.gz");
  CHECK(McplSource(config.list[0].file, config.list[0].pdg, {}).size() == 3);
  CHECK_THROWS_WITH_AS(read(file + "time = {kind = \"instant\"}\n"),
                       doctest::Contains("time cannot be given with a file"), ConfigError);
  CHECK_THROWS_WITH_AS(read(file + file), doctest::Contains("a file must be the only source"),
                       ConfigError);
  CHECK_THROWS_WITH_AS(read("[[source]]\nfile = \"none.mcpl\"\n"), doctest::Contains("no file"),
                       ConfigError);
}
