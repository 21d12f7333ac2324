#include "exec/instructions/system_functions.hpp"

#include <cstdio>
#include <cstring>

#include "exec/block.hpp"
#include "exec/lanes.hpp"

namespace ptxemu {
namespace {

/// Parameter `n` of the function, of the size that it declares.
std::uint64_t parameter(Warp& warp, int lane, std::size_t n) {
  const Frame& frame = warp.frame();
  const ParameterSlot& slot = frame.code->parameters.at(n);
  std::uint64_t value = 0;
  std::memcpy(&value, warp.local(lane, frame.local_base + slot.offset, slot.size), slot.size);
  return value;
}

void set_result(Warp& warp, int lane, std::uint64_t value) {
  const Frame& frame = warp.frame();
  if (frame.code->results.empty()) return;
  const ParameterSlot& slot = frame.code->results[0];
  std::memcpy(warp.local(lane, frame.local_base + slot.offset, slot.size), &value, slot.size);
}

/// The string that starts at a generic address.
std::string text_at(Warp& warp, int lane, std::uint64_t address) {
  std::string text;
  for (;; ++address) {
    const char next = static_cast<char>(*warp.generic<1, false>(lane, address));
    if (next == '\0') return text;
    text += next;
  }
}

/// The arguments of vprintf: each at a multiple of its size.
class Arguments {
 public:
  Arguments(Warp& warp, int lane, std::uint64_t address)
      : warp_(warp), lane_(lane), address_(address) {}
  template <class T>
  T next() {
    address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    std::memcpy(&value, warp_.generic<sizeof(T), false>(lane_, address_), sizeof(T));
    address_ += sizeof(T);
    return value;
  }

 private:
  Warp& warp_;
  int lane_;
  std::uint64_t address_;
};

template <class T>
std::string formatted(const std::string& conversion, T value) {
  char text[512];
  const int size = std::snprintf(text, sizeof text, conversion.c_str(), value);
  return std::string(
      text, std::min<std::size_t>(static_cast<std::size_t>(std::max(size, 0)), sizeof text - 1));
}

/// Formats one conversion such as "%-8.3lf", without its length modifiers.
std::string convert(Warp& warp, int lane, std::string conversion, bool is_long,
                    Arguments& arguments) {
  const char kind = conversion.back();
  const bool is_integer = std::strchr("diouxX", kind) != nullptr;
  if (is_integer && is_long) {
    conversion.insert(conversion.size() - 1, "ll");
    return formatted(conversion, arguments.next<long long>());
  }
  if (is_integer || kind == 'c') return formatted(conversion, arguments.next<int>());
  if (std::strchr("fFeEgGaA", kind) != nullptr)
    return formatted(conversion, arguments.next<double>());
  const auto pointer = arguments.next<std::uint64_t>();
  if (kind == 'p') return formatted(conversion, reinterpret_cast<const void*>(pointer));
  if (kind == 's') return formatted(conversion, text_at(warp, lane, pointer).c_str());
  throw Fault(Fault::Kind::illegal_instruction,
              "the conversion " + conversion + " of printf is not implemented by the emulator");
}

/// vprintf(format, arguments): the threads of a warp print in ascending order, at once.
void run_print(Warp& warp, const Op&) {
  each_lane(warp, [&](int lane) {
    const std::string format = text_at(warp, lane, parameter(warp, lane, 0));
    Arguments arguments(warp, lane, parameter(warp, lane, 1));
    std::string output;
    for (std::size_t n = 0; n < format.size(); ++n) {
      if (format[n] != '%' || n + 1 == format.size()) {
        output += format[n];
        continue;
      }
      if (format[n + 1] == '%') {
        output += format[++n];
        continue;
      }
      std::string conversion(1, '%');
      int longs = 0;
      for (++n; n < format.size(); ++n) {
        const char c = format[n];
        if (c == '*')
          conversion += std::to_string(arguments.next<int>());
        else if (std::strchr("ljzt", c) != nullptr)
          longs += 1;
        else if (c != 'h')
          conversion += c;
        if (std::strchr("0123456789+-# .*hljzt", c) == nullptr) break;
      }
      output += convert(warp, lane, conversion, longs != 0, arguments);
    }
    std::fwrite(output.data(), 1, output.size(), stdout);
    set_result(warp, lane, output.size());
  });
}

/// __assertfail(condition, file, line, function, size of a character)
void run_assertion(Warp& warp, const Op&) {
  const int lane = std::countr_zero(warp.mask);
  warp.lane = lane;
  throw Fault(Fault::Kind::assertion,
              text_at(warp, lane, parameter(warp, lane, 1)) + ":" +
                  std::to_string(parameter(warp, lane, 2)) + ": " +
                  text_at(warp, lane, parameter(warp, lane, 3)) + ": the assertion `" +
                  text_at(warp, lane, parameter(warp, lane, 0)) + "` failed");
}

void run_malloc(Warp& warp, const Op&) {
  each_lane(warp, [&](int lane) {
    set_result(warp, lane, warp.memory().allocate(parameter(warp, lane, 0)));
  });
}

void run_free(Warp& warp, const Op&) {
  each_lane(warp, [&](int lane) {
    warp.lane = lane;
    const std::uint64_t address = parameter(warp, lane, 0);
    if (address != 0 && !warp.memory().release(address))
      throw Fault(Fault::Kind::illegal_address,
                  "free() of an address that malloc() did not return, or twice");
  });
}

}  // namespace

Handler system_function(const std::string& name) {
  if (name == "vprintf") return run_print;
  if (name == "__assertfail") return run_assertion;
  if (name == "malloc") return run_malloc;
  if (name == "free") return run_free;
  return nullptr;
}

}  // namespace ptxemu
