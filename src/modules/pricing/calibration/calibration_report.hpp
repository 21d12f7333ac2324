#pragma once
// What a calibration found, for the results.

#include <string>
#include <vector>

namespace gsim::pricing {

struct CalibratedParameter {
  double expiry = 0;  ///< of a smile; NaN for a parameter of all expiries
  std::string name;
  double value = 0;
};

/// An instrument to which a model was calibrated: its quote and the model's value, in the unit of
/// the quote.
struct CalibrationError {
  std::string instrument;
  double quote = 0, model = 0;
};

struct CalibrationReport {
  std::string target;  ///< to what: the name of a surface, or "swaptions"
  std::vector<CalibratedParameter> parameters;
  std::vector<CalibrationError> errors;  ///< of models; a surface has SurfacePoint instead
};

}  // namespace gsim::pricing
