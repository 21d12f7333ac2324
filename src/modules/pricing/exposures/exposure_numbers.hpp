#pragma once
// The numbers of a netting set that a run estimates: their names, and where ExposureProfile holds
// them.

#include "src/modules/pricing/exposures/exposure_profile.hpp"

namespace gsim::pricing {

struct ScalarInfo {
  const char *name, *title, *doc;  ///< of the column, in estimates, and in the results
  double ExposureProfile::*value;
};
inline constexpr ScalarInfo scalars[] = {
    {"cva", "CVA", "credit valuation adjustment: expected loss by defaults of the counterparty",
     &ExposureProfile::cva},
    {"dva", "DVA", "debit valuation adjustment: the same by defaults of this party",
     &ExposureProfile::dva},
    {"fca", "FCA", "expected cost of funding positive exposures", &ExposureProfile::funding_cost},
    {"fba", "FBA", "expected benefit of funding by negative exposures",
     &ExposureProfile::funding_benefit},
    {"epe", "EPE", "time average of the expected positive exposure",
     &ExposureProfile::average_positive},
};
inline constexpr int scalar_count = 5, cva_position = 0, dva_position = 1,
                     funding_cost_position = 2, funding_benefit_position = 3, average_position = 4;

struct ProfileInfo {
  const char *name, *doc;
  std::vector<double> ExposureProfile::*values;
};
inline constexpr ProfileInfo profiles[] = {
    {"expected_positive", "E[max(V, 0)], V the value less the collateral",
     &ExposureProfile::expected_positive},
    {"expected_negative", "E[max(-V, 0)]", &ExposureProfile::expected_negative},
    {"potential_future", "quantile of max(V, 0) at the level exposure.quantile",
     &ExposureProfile::future},
    {"discounted_positive", "expected_positive, discounted to today",
     &ExposureProfile::discounted_positive},
    {"discounted_negative", "expected_negative, discounted to today",
     &ExposureProfile::discounted_negative},
};
inline constexpr int profile_count = 5;

}  // namespace gsim::pricing
