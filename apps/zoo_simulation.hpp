#pragma once

#include "model_simulation.hpp"
#include "zoo/zoo.hpp"
