#include "gsim/comm/communicator.hpp"

#include <exception>
#include <new>

#include "src/comm/in_process/in_process_backend.hpp"
#include "src/comm/in_process/self_backend.hpp"

namespace gsim {
namespace {

// The type of an error, as it is sent to the other ranks.
enum class Kind : int { error, input, io, comm, device, numerical };

struct Outcome {
  std::exception_ptr exception;  // null: the body returned
  Kind kind = Kind::error;
  std::string message;
};

// Calls body(); returns the type and message of its exception, if it throws one.
Outcome run(const std::function<void()>& body) {
  const auto failed = [](Kind kind, const char* message) {
    return Outcome{std::current_exception(), kind, message};
  };
  try {
    body();
    return {};
  } catch (const detail::RankUnwound&) {
    throw;
  } catch (const InputError& e) {
    return failed(Kind::input, e.what());
  } catch (const IoError& e) {
    return failed(Kind::io, e.what());
  } catch (const CommError& e) {
    return failed(Kind::comm, e.what());
  } catch (const DeviceError& e) {
    return failed(Kind::device, e.what());
  } catch (const NumericalError& e) {
    return failed(Kind::numerical, e.what());
  } catch (const std::bad_alloc&) {
    return failed(Kind::error, "out of host memory");
  } catch (const std::exception& e) {
    return failed(Kind::error, e.what());
  } catch (...) {
    return failed(Kind::error, "an exception of unknown type");
  }
}

[[noreturn]] void rethrow_as(Kind kind, const std::string& message) {
  switch (kind) {
    case Kind::input:
      throw InputError(message);
    case Kind::io:
      throw IoError(message);
    case Kind::comm:
      throw CommError(message);
    case Kind::device:
      throw DeviceError(message);
    case Kind::numerical:
      throw NumericalError(message);
    case Kind::error:
      break;
  }
  throw Error(message);
}

}  // namespace

Communicator Communicator::self() { return Communicator(std::make_shared<detail::SelfBackend>()); }

std::string Communicator::broadcast(std::string text, int root) const {
  text.resize(broadcast(text.size(), root));
  backend_->broadcast(std::as_writable_bytes(std::span(text)), root);
  return text;
}

void Communicator::sum(std::span<ExactSum> sums) const {
  std::vector<std::int64_t> parts(sums.size() * ExactSum::parts);
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i].to_parts(&parts[i * ExactSum::parts]);
  backend_->allreduce(parts, ReduceOp::sum);
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = ExactSum::from_parts(&parts[i * ExactSum::parts]);
}

void Communicator::sum(std::span<Superaccumulator> sums) const {
  constexpr std::size_t parts = Superaccumulator::parts;
  std::vector<std::int64_t> all_parts;
  all_parts.reserve(sums.size() * parts);
  for (const Superaccumulator& sum : sums)
    all_parts.insert(all_parts.end(), sum.to_parts().begin(), sum.to_parts().end());
  backend_->allreduce(all_parts, ReduceOp::sum);
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = Superaccumulator::from_parts(&all_parts[i * parts]);
}

void Communicator::agree(const std::function<void()>& body) const {
  const Outcome mine = run(body);
  const auto failed_rank = static_cast<int>(min(mine.exception ? rank() : size()));
  if (failed_rank == size()) return;
  const Kind kind = broadcast(mine.kind, failed_rank);
  const std::string message = broadcast(mine.message, failed_rank);
  try {
    if (rank() == failed_rank) std::rethrow_exception(mine.exception);
    rethrow_as(kind, message);
  } catch (Error& error) {
    error.mark_agreed();
    throw;
  } catch (...) {  // not an exception of gsim: convert it to the type that the other ranks throw
    Error error(message);
    error.mark_agreed();
    throw error;
  }
}

}  // namespace gsim
