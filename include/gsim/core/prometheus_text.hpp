#pragma once
// Metrics in the text format of Prometheus (exposition format 0.0.4), which the textfile collector
// of node_exporter reads.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gsim {

/// Names and values of the labels of a sample.
using MetricLabels = std::vector<std::pair<std::string, std::string>>;

class PrometheusText {
 public:
  /// `common`: labels that every sample has, before its own.
  explicit PrometheusText(MetricLabels common) : common_(std::move(common)) {}

  /// Adds a metric with its first sample. A sample whose value is NaN is unknown and left out, and
  /// so is the metric.
  void gauge(std::string_view name, std::string_view help, double value,
             const MetricLabels& labels = {});
  /// The same for a number that only grows while a run lasts; its name ends with _total.
  void counter(std::string_view name, std::string_view help, double value,
               const MetricLabels& labels = {});
  /// Adds a sample to the metric `name`, which was added last.
  void sample(std::string_view name, double value, const MetricLabels& labels);

  const std::string& text() const { return text_; }

 private:
  void metric(std::string_view name, std::string_view type, std::string_view help);
  MetricLabels common_;
  std::string text_;
};

/// One line of metrics: NAME{LABEL="…",…} VALUE.
struct MetricSample {
  std::string name;
  MetricLabels labels;
  double value = 0;

  /// The value of a label; empty where there is none.
  std::string label(std::string_view label_name) const;
};

/// The samples of a text. InputError, with the number of the line, for a line that is neither a
/// comment nor a sample.
std::vector<MetricSample> parse_prometheus(std::string_view text);

/// A label value with backslash, quotation mark and line end escaped, and bytes that are not UTF-8
/// as "?".
std::string escape_label(std::string_view value);

/// The present time in seconds since 1970, as metrics state times.
double unix_time();

}  // namespace gsim
