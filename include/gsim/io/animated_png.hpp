#pragma once
// Animations that browsers play.

#include <fstream>
#include <string>

#include "gsim/io/figure.hpp"

namespace gsim {

/// Writes an animated PNG file (APNG: PNG Specification, third edition, W3C 2025, section 11.3.6),
/// which programs that support only PNG display as its first frame. The animation repeats without
/// end. An existing file is replaced by commit(); without commit() no file remains.
class AnimatedPng {
 public:
  /// Starts a file of `frames` frames, each of which is shown for `milliseconds`. IoError.
  AnimatedPng(std::string path, Index frames, int milliseconds);
  ~AnimatedPng();
  AnimatedPng(const AnimatedPng&) = delete;
  AnimatedPng& operator=(const AnimatedPng&) = delete;

  /// Adds the next frame, which must have the size of the first. IoError.
  void add(const Raster& frame);
  /// Closes the file and renames it. All frames must have been added. IoError.
  void commit();

 private:
  /// Writes a chunk of PNG.
  void write(std::string_view type, std::string_view data);
  /// Writes the frame control chunk (fcTL) of the next frame.
  void write_control();
  [[noreturn]] void fail(const std::string& problem) const;

  std::string path_, partial_;
  std::ofstream file_;
  Index frames_ = 0, added_ = 0;
  int milliseconds_ = 0;
  Index columns_ = 0, rows_ = 0;
  std::uint32_t sequence_ = 0;  // number of the next chunk fcTL or fdAT
  bool is_done_ = false;
};

}  // namespace gsim
