#include "checksum.hpp"

#include <stdexcept>
// sedum:anchor:includes
// sedum:addInclude:project {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"src/checksum.cpp","header":"io_buffer.hpp","origin":"project"}}
#include "io_buffer.hpp"
// /sedum:addInclude:project

namespace wire {

// sedum:anchor:definitions
// sedum:defineMethod:changes {"tier":"seeded","record":"prov-2026-native0001","kwargs":{"class":"checksum","effect":"changes","name":"take","params":"const IOBuffer& buffer","returns":"void"}}

void Checksum::take(const IOBuffer& buffer) {
    throw std::logic_error("Checksum::take is not written yet");
}
// /sedum:defineMethod:changes
// sedum:defineMethod:reads {"tier":"seeded","record":"prov-2026-native0001","kwargs":{"class":"checksum","effect":"reads","name":"crc","params":"","returns":"std::uint32_t"}}

std::uint32_t Checksum::crc() const {
    throw std::logic_error("Checksum::crc is not written yet");
}
// /sedum:defineMethod:reads

}  // namespace wire
