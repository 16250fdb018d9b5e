// sedum:addLicense {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"include/checksum.hpp","license":"Apache-2.0"}}
// SPDX-License-Identifier: Apache-2.0
// /sedum:addLicense
#ifndef WIRE_CHECKSUM_HPP
#define WIRE_CHECKSUM_HPP

// sedum:anchor:includes
// sedum:addInclude:system {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"include/checksum.hpp","header":"cstdint","origin":"system"}}
#include <cstdint>
// /sedum:addInclude:system

namespace wire {

// sedum:anchor:types

// sedum:declareClass {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"checksum","other":"io_buffer"}}
class IOBuffer;
// /sedum:declareClass
class Checksum {
public:
    Checksum() = default;
    // sedum:anchor:public_members
    // sedum:declareMethod:changes {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"checksum","effect":"changes","name":"take","params":"const IOBuffer& buffer","returns":"void"}}
    void take(const IOBuffer& buffer);
    // /sedum:declareMethod:changes
    // sedum:declareMethod:reads {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"checksum","effect":"reads","name":"crc","params":"","returns":"std::uint32_t"}}
    [[nodiscard]] std::uint32_t crc() const;
    // /sedum:declareMethod:reads

private:
    // sedum:anchor:private_members
    // sedum:addMember {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"checksum","initial":"{}","name":"crc","type":"std::uint32_t"}}
    std::uint32_t crc_{};
    // /sedum:addMember
};

}  // namespace wire

#endif  // WIRE_CHECKSUM_HPP
