#pragma once
// [start] and [[type]]: the initial system of a run.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gsim/config/section.hpp"
#include "gsim/md/units.hpp"
#include "src/modules/md/setup/start_system.hpp"

namespace gsim::md {

/// A type of atom. Values that the configuration omits may come from a file.
struct TypeConfig {
  std::string name;
  double mass = 0;    ///< 0: not given
  double charge = 0;  ///< charge of every atom of the type, unless atoms have individual charges
  SourceLocation where = {};  ///< location of its name
  std::string element = {};   ///< chemical symbol; empty: not given
  std::string in_file = {};   ///< its name in the file of [start]; empty: the same name
  /// For a type without a [[type]] in the configuration: its first place in a file ("a.xyz:3").
  std::string origin = {};

  const std::string& name_in_file() const { return in_file.empty() ? name : in_file; }
};

struct StartConfig {
  std::vector<TypeConfig> types;
  /// Makes the system; random positions depend on the seed of the run.
  std::function<std::unique_ptr<StartSystem>(std::uint64_t seed)> make_system;
  /// Coefficients that a data file gave, for terms that have none in the configuration.
  std::vector<CoefficientSection> coefficients;
  std::string file;              ///< name of the file that [start] reads, for messages; or empty
  StoredBonded bonded;           ///< bonds, angles and dihedrals of an H5MD file
  bool is_h5md = false;          ///< the file is an H5MD file
  const Units* units = nullptr;  ///< set before reading: a file that names its units must use these
  std::uint64_t input_digest = 0;  ///< digest of the system in an H5MD file; 0: no such file
  double temperature =
      -1;  ///< temperature of the initial velocities; below 0: velocities of the file, else 0
  bool zero_momentum = true;  ///< remove the total momentum of the initial velocities
  /// Locations of the key that creates the atoms, of the temperature, and of `box_key`, the key
  /// that determines the box.
  SourceLocation where, temperature_location, box_location;
  std::string box_key;
  std::string input_path;  ///< path of the file that [start] reads, or empty
  std::string summary;     ///< "fcc lattice, 20 x 20 x 20 cells"

  BondedOfFile bonded_of_file() const { return {file, coefficients, bonded, is_h5md}; }
  /// The element symbol of each type: the given one, else its name where that is a symbol, else,
  /// where masses are in g/mol, the element of its mass (within 0.0125 g/mol, so that a united atom
  /// CH2 is not taken for N); else empty.
  std::vector<std::string> type_elements() const;
  std::vector<std::string> type_names() const;
  Index type_index(const std::string& name) const;  ///< -1: none of that name
};

/// ConfigError for a type whose mass neither the configuration nor a file or potential gives.
[[noreturn]] void fail_without_mass(const TypeConfig& type);

/// Describes [[type]] and [start], and reads the file that [start] names.
void describe_start(Section& top, StartConfig& config);

}  // namespace gsim::md
