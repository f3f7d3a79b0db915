#pragma once

#include <gtest/gtest.h>

#include <string>

/// Expects an exception of the given type whose message is exactly `message`.
template <class Error, class Function>
void expect_error(const std::string& message, Function&& function) {
  try {
    function();
    ADD_FAILURE() << "nothing was thrown; expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.what(), message);
  }
}
