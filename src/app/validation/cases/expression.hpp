#pragma once
// Formulas of results of runs, as in validation sets:
//     last('thermo/potential_energy') / 32000
//     slope('fine:thermo/conserved_energy', 'fine:thermo/time')
// A quoted name alone is an estimate of the run, with its standard error. As an argument of a
// function that reads columns (first, last, at, sampled, largest, smallest, mean, deviation, span,
// slope, size, gamma_score) it is a dataset of the run's results. Where a case has several runs,
// "run:" goes before the name. Other parts are + - * / ( ), numbers, and functions of one number:
// those of unary_functions.cpp, abs, sqrt, exp, log, sin, cos, tan, asin, acos and atan (in
// radians).

#include <string>
#include <vector>

#include "column_functions.hpp"
#include "gsim/engine/estimate.hpp"

namespace gsim::app {

/// The results that formulas refer to. Both functions throw InputError for an unknown name.
class NamedResults {
 public:
  virtual ~NamedResults() = default;
  virtual Estimate estimate(const std::string& name) const = 0;
  virtual std::vector<double> column(const std::string& name) const = 0;
};

/// The value of `text`. InputError, with the text and the place, when it cannot be read.
///   at(c, i)           row i of column c; first, last: its ends
///   sampled(c, e, i)   row i of c, whose standard error is row i of e
///   largest(c), smallest(c)  values of c, without a standard error
///   mean(c)            without a standard error: for numbers that are not sampled
///   deviation(c)       root of the mean squared deviation from the mean (divided by the rows)
///   span(c)            largest minus smallest value
///   slope(y, x)        of the line of least squares
///   size(c)            rows
///   gamma_score(c, a, s, n)  whether c is drawn from a gamma distribution of shape a and scale s:
///                      the chi-square of n equally probable classes, converted to the standard
///                      normal number of the same probability; its standard error is 1. Rows must
///                      be independent.
/// and the functions that modules and plugins registered (ValidationFunction).
Quantity evaluate(const std::string& text, const NamedResults& results,
                  const ColumnFunctions& functions = {});

/// The value of a formula of numbers alone.
double evaluate_number(const std::string& text);

/// Reads a formula without computing it: InputError, with the text and the place, where it cannot
/// be read, or where a name does not begin with one of `runs`. If `runs` is empty, names
/// must not be preceded by a run.
void check_formula(const std::string& text, const std::vector<std::string>& runs,
                   const ColumnFunctions& functions = {});

}  // namespace gsim::app
