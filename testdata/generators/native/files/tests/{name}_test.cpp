#include "{{name}}.hpp"

#include <gtest/gtest.h>
// sedum:anchor:includes
