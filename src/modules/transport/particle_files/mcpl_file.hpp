#pragma once
// Particle lists in the MCPL format, versions 2 and 3, packed by gzip too (T. Kittelmann et al.,
// "Monte Carlo Particle Lists: MCPL", Comput. Phys. Commun. 218 (2017) 17; version 3 packs
// directions in another way). Files are streamed: memory does not grow with their size.

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
  std::int32_t common_pdg = 0;  ///< of all particles; 0: each has its own
  double common_weight = 0;     ///< likewise

  /// Bytes of a particle's record.
  std::size_t record_size() const;
};

/// Direction and energy as the three numbers of a record, and back (`packed[2]` is the energy, with
/// a sign that is part of the direction). Version 2 folds the octahedron |x| + |y| + |z| = 1 into a
/// square; version 3 leaves out the largest coordinate and gives its inverse in its place, so that
/// the other two keep their full precision.
void pack_direction(int version, const double* direction, double energy, double* packed);
void unpack_direction(int version, const double* packed, double* direction, double& energy);

class McplReader {
 public:
  /// Opens a file of either byte order, packed by gzip or not. InputError that names it when it
  /// cannot be opened, is no MCPL file of version 2 or 3, or was never closed.
  explicit McplReader(const std::string& path);
  ~McplReader();
  McplReader(McplReader&&) noexcept;
  McplReader& operator=(McplReader&&) noexcept;

  const McplHeader& header() const;
  std::uint64_t particles() const;  ///< of the whole file
  std::uint64_t position() const;   ///< number of the particle that is read next
  /// Reads the next particles, as many as there are; returns how many. InputError when the file
  /// ends too early.
  std::size_t read(std::span<McplParticle> particles);
  /// Goes to a particle; backwards in a packed file means unpacking from its beginning.
  void seek(std::uint64_t particle);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Key of the sum "stat:sum" in files that gsim writes: source particles of the run, over the
/// source's strength.
inline constexpr std::string_view mcpl_sources = "gsim_sources";
/// The value of a "stat:sum" in a header's comments; -1: there is none, or it is not known.
double mcpl_sum(const McplHeader& header, std::string_view key);

/// What a file of `particles` particles begins with; its length does not depend on their number.
std::string mcpl_head(const McplHeader& header, std::uint64_t particles);
/// Appends the record of a particle to `bytes`.
void append_mcpl_record(std::string& bytes, const McplHeader& header, const McplParticle& particle);

/// Writes a file as PATH.partial, which takes its name when it is closed. A path that ends in ".gz"
/// is packed when it is closed.
class McplWriter {
 public:
  /// IoError when it cannot be made.
  McplWriter(const std::string& path, McplHeader header);
  /// Without close() the partial file is removed.
  ~McplWriter();
  McplWriter(const McplWriter&) = delete;
  McplWriter& operator=(const McplWriter&) = delete;

  void write(const McplParticle& particle);
  /// IoError when not all could be written.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gsim::transport
