#pragma once
// The last frame of a trajectory, for the page of `gsim report`.

#include <optional>
#include <string>

#include "gsim/core/json.hpp"

namespace gsim::app {

/// The last frame of the H5MD file `path` as an object: file, step, time, atoms, shown (number of
/// atoms that the object holds: all, or about 20,000, selected by a hash of the index), kinds
/// (names of the species), origin and edges of the box (three vectors), low and high (corners of
/// the smallest box around the positions), positions (base64: three little-endian 16-bit integers
/// for each atom, 0 at low and 65535 at high), species (base64: a byte for each atom, the number of
/// its kind). Nothing if the file has no frame with positions and a box. IoError.
std::optional<Json> last_frame(const std::string& path);

}  // namespace gsim::app
