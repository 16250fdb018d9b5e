#include "{{name}}.hpp"

#include <stdexcept>
// sedum:anchor:includes

namespace {{root_namespace}} {

// sedum:anchor:definitions

}  // namespace {{root_namespace}}
