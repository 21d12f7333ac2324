#include "src/modules/md/correlations/window_correlator.hpp"

#include <algorithm>

#include "gsim/core/error.hpp"

namespace gsim::md {

WindowCorrelator::WindowCorrelator(Index lags, int components)
    : lags_(lags),
      components_(static_cast<std::size_t>(components)),
      history_(components_ * static_cast<std::size_t>(lags + 1)),
      sums_(static_cast<std::size_t>(lags + 1)),
      averages_(2 * (lags + 1)) {
  GSIM_EXPECT(lags >= 1 && components >= 1);
}

void WindowCorrelator::add(std::span<const double> sample) {
  GSIM_EXPECT(sample.size() == components_);
  const auto size = static_cast<std::size_t>(lags_ + 1);
  const auto now = static_cast<std::size_t>(samples_ % (lags_ + 1));
  for (std::size_t c = 0; c < components_; ++c) history_[c * size + now] = sample[c];
  if (samples_++ < lags_) return;  // the history does not cover all lags yet
  for (std::size_t c = 0; c < components_; ++c) {
    const double x = sample[c];
    const double* const ring = history_.data() + c * size;
    for (std::size_t k = 0; k <= now; ++k) sums_[k] += x * ring[now - k];
    for (std::size_t k = now + 1; k < size; ++k) sums_[k] += x * ring[now + size - k];
  }
  if (samples_ % lags_ != 0) return;
  std::vector<double> values;
  const double scale = 1 / (static_cast<double>(components_) * static_cast<double>(lags_));
  double integral = 0;
  for (std::size_t k = 0; k < size; ++k) {
    if (k > 0) integral += 0.5 * scale * (sums_[k - 1] + sums_[k]);
    values.push_back(scale * sums_[k]);
    values.push_back(integral);
  }
  averages_.add(values);
  std::fill(sums_.begin(), sums_.end(), 0.0);
}

void WindowCorrelator::save(DatasetWriter& writer, const std::string& path) const {
  writer.write(path + "/samples", samples_);
  writer.write(path + "/history", history_);
  writer.write(path + "/sums", sums_);
  averages_.save(writer, path + "/averages");
}

void WindowCorrelator::restore(DatasetReader& reader, const std::string& path) {
  auto history = reader.read<double>(path + "/history");
  auto sums = reader.read<double>(path + "/sums");
  if (history.size() != history_.size() || sums.size() != sums_.size())
    throw IoError(path + " holds the state of a window of another size");
  samples_ = reader.read_value<Index>(path + "/samples");
  history_ = std::move(history);
  sums_ = std::move(sums);
  averages_.restore(reader, path + "/averages");
}

void WindowCorrelator::add_to(Digest& digest) const {
  digest.add(samples_);
  digest.add(std::span<const double>(history_)).add(std::span<const double>(sums_));
  averages_.add_to(digest);
}

}  // namespace gsim::md
