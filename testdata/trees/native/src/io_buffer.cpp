#include "io_buffer.hpp"

#include <stdexcept>
// sedum:anchor:includes

namespace wire {

// sedum:anchor:definitions
// sedum:defineMethod:changes {"tier":"seeded","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"changes","name":"write","params":"const std::byte* data, std::size_t size","returns":"bool"}}

bool IOBuffer::write(const std::byte* data, std::size_t size) {
    throw std::logic_error("IOBuffer::write is not written yet");
}
// /sedum:defineMethod:changes
// sedum:defineMethod:changes {"tier":"seeded","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"changes","name":"drain","params":"","returns":"std::vector<std::byte>"}}

std::vector<std::byte> IOBuffer::drain() {
    throw std::logic_error("IOBuffer::drain is not written yet");
}
// /sedum:defineMethod:changes
// sedum:defineMethod:reads {"tier":"seeded","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"reads","name":"free_space","params":"","returns":"std::size_t"}}

std::size_t IOBuffer::freeSpace() const {
    throw std::logic_error("IOBuffer::freeSpace is not written yet");
}
// /sedum:defineMethod:reads

}  // namespace wire
