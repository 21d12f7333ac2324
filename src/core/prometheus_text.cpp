#include "gsim/core/prometheus_text.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "gsim/core/error.hpp"
#include "gsim/core/text.hpp"
#include "gsim/core/utf8.hpp"

namespace gsim {
namespace {

std::string number(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:";

/// Reads one line from left to right. Functions that find something else return false.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  bool read(MetricSample& sample) {
    if (!read_name(sample.name)) return false;
    if (skip("{") && !read_labels(sample.labels)) return false;
    skip_blanks();
    return read_number(sample.value);
  }

 private:
  void skip_blanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t"), rest_.size()));
  }
  bool skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  bool read_name(std::string& name) {
    const std::size_t length = std::min(rest_.find_first_not_of(name_characters), rest_.size());
    name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return length > 0;
  }
  bool read_labels(MetricLabels& labels) {
    while (!skip("}")) {
      std::string name, value;
      if (!read_name(name) || !skip("=\"") || !read_value(value)) return false;
      labels.emplace_back(std::move(name), std::move(value));
      if (!skip(",") && !rest_.starts_with('}')) return false;
    }
    return true;
  }
  /// The value of a label and the quotation mark behind it.
  bool read_value(std::string& value) {
    while (!rest_.empty()) {
      if (skip("\"")) return true;
      if (skip("\\n")) {
        value += '\n';
        continue;
      }
      if (rest_.size() > 1) skip("\\");
      value += rest_.front();
      rest_.remove_prefix(1);
    }
    return false;
  }
  /// The value, behind which a time in milliseconds may stand.
  bool read_number(double& value) {
    const std::string word(rest_.substr(0, rest_.find_first_of(" \t")));
    char* end = nullptr;
    value = std::strtod(word.c_str(), &end);
    return !word.empty() && *end == '\0';
  }
  std::string_view rest_;
};

}  // namespace

std::string escape_label(std::string_view value) {
  std::string text;
  while (!value.empty()) {
    const Utf8Character next = decode_utf8(value);
    const std::string_view bytes = value.substr(0, static_cast<std::size_t>(next.bytes));
    value.remove_prefix(bytes.size());
    if (!next.valid) {
      text += '?';
    } else if (bytes == "\\" || bytes == "\"") {
      (text += '\\') += bytes;
    } else {
      text += bytes == "\n" ? std::string_view("\\n") : bytes;
    }
  }
  return text;
}

void PrometheusText::metric(std::string_view name, std::string_view type, std::string_view help) {
  text_ += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

void PrometheusText::gauge(std::string_view name, std::string_view help, double value,
                           const MetricLabels& labels) {
  if (std::isnan(value)) return;
  metric(name, "gauge", help);
  sample(name, value, labels);
}

void PrometheusText::counter(std::string_view name, std::string_view help, double value,
                             const MetricLabels& labels) {
  if (std::isnan(value)) return;
  metric(name, "counter", help);
  sample(name, value, labels);
}

void PrometheusText::sample(std::string_view name, double value, const MetricLabels& labels) {
  if (std::isnan(value)) return;
  std::string all;
  for (const MetricLabels* list : {&std::as_const(common_), &labels})
    for (const auto& [label, text] : *list)
      all += fmt::format("{}{}=\"{}\"", all.empty() ? "" : ",", label, escape_label(text));
  text_ += fmt::format("{}{{{}}} {}\n", name, all, number(value));
}

std::string MetricSample::label(std::string_view label_name) const {
  for (const auto& [label, text] : labels)
    if (label == label_name) return text;
  return {};
}

std::vector<MetricSample> parse_prometheus(std::string_view text) {
  std::vector<MetricSample> samples;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.starts_with('#'))
      continue;
    MetricSample sample;
    if (!LineReader(line).read(sample))
      throw InputError(
          fmt::format("line {} is no metric of Prometheus: {}", number, excerpt(line)));
    samples.push_back(std::move(sample));
  }
  return samples;
}

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace gsim
