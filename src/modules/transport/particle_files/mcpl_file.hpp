#pragma once
// Particle lists in the MCPL format, versions 2 and 3, also compressed by gzip (T. Kittelmann et
// al., "Monte Carlo Particle Lists: MCPL", Comput. Phys. Commun. 218 (2017) 17; version 3 packs
// directions differently). Files are streamed: memory does not grow with their size.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/transport/sources/sources.hpp"

namespace gsim::transport {

struct McplParticle {
  double position[3] = {};   ///< cm
  double direction[3] = {};  ///< of length 1
  double polarisation[3] = {};
  double energy = 0;  ///< kinetic, MeV
  double time = 0;    ///< ms
  double weight = 1;
  std::int32_t pdg = 2112;  ///< Particle Data Group's code; 2112: neutron, 22: photon
  std::uint32_t flags = 0;
};

struct McplHeader {
  int version = 3;
  std::string source_name;
  std::vector<std::string> comments;
  std::vector<std::pair<std::string, std::string>> blobs;  ///< key, bytes
  bool has_flags = false, has_polarisation = false;
  bool is_single = true;        ///< numbers of records are floats
  std::int32_t common_pdg = 0;  ///< code of all particles; 0: each has its own
  double common_weight = 0;     ///< weight of all particles; 0: each has its own

  /// Size of the record of a particle, bytes.
  std::size_t record_size() const;
};

/// Packs direction and energy into the three numbers of a record, and unpacks them (`packed[2]` is
/// the energy, with a sign that belongs to the direction). Version 2 maps the octahedron
/// |x| + |y| + |z| = 1 to a square; version 3 stores the inverse of the largest coordinate in its
/// place, so that the other two keep their full precision.
void pack_direction(int version, const double* direction, double energy, double* packed);
void unpack_direction(int version, const double* packed, double* direction, double& energy);

class McplReader {
 public:
  /// Opens a file of either byte order, compressed by gzip or not. InputError if it cannot be
  /// opened, is not an MCPL file of version 2 or 3, or was never closed.
  explicit McplReader(const std::string& path);
  ~McplReader();
  McplReader(McplReader&&) noexcept;
  McplReader& operator=(McplReader&&) noexcept;

  const McplHeader& header() const;
  std::uint64_t particles() const;  ///< number of particles in the file
  std::uint64_t position() const;   ///< index of the next particle
  /// Reads the next particles, and returns their number, which is smaller at the end of the file.
  /// InputError if the file is truncated.
  std::size_t read(std::span<McplParticle> particles);
  /// Seeks a particle; backwards in a compressed file, this decompresses from the beginning.
  void seek(std::uint64_t particle);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Key of the "stat:sum" in files that gsim writes: number of source particles of the run, divided
/// by the source strength.
inline constexpr std::string_view mcpl_sources = "gsim_sources";
/// The value of a "stat:sum" in the comments of a header; -1: none, or unknown.
double mcpl_sum(const McplHeader& header, std::string_view key);

/// The header of a file of `particles` particles; its length does not depend on their number.
std::string mcpl_head(const McplHeader& header, std::uint64_t particles);
/// Appends the record of a particle to `bytes`.
void append_mcpl_record(std::string& bytes, const McplHeader& header, const McplParticle& particle);

/// Writes a file as PATH.partial, which is renamed when it is closed. If the path ends in ".gz",
/// the file is compressed when it is closed.
class McplWriter {
 public:
  /// IoError if it cannot be created.
  McplWriter(const std::string& path, McplHeader header);
  /// Without close() the partial file is removed.
  ~McplWriter();
  McplWriter(const McplWriter&) = delete;
  McplWriter& operator=(const McplWriter&) = delete;

  void write(const McplParticle& particle);
  /// IoError if not all data could be written.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim::transport
