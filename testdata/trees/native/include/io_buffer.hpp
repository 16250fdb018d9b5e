// sedum:addLicense {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"include/io_buffer.hpp","license":"Apache-2.0"}}
// SPDX-License-Identifier: Apache-2.0
// /sedum:addLicense
#ifndef WIRE_IO_BUFFER_HPP
#define WIRE_IO_BUFFER_HPP

// sedum:anchor:includes
// sedum:addInclude:system {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"include/io_buffer.hpp","header":"cstddef","origin":"system"}}
#include <cstddef>
// /sedum:addInclude:system
// sedum:addInclude:system {"tier":"owned","record":"prov-2026-native0001","kwargs":{"file":"include/io_buffer.hpp","header":"vector","origin":"system"}}
#include <vector>
// /sedum:addInclude:system

namespace wire {

// sedum:anchor:types
// sedum:addEnum {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","name":"overflow_policy","values":["DropOldest","Reject"]}}
enum class OverflowPolicy { kDropOldest, kReject };
// /sedum:addEnum

class IOBuffer {
public:
    IOBuffer() = default;
    // sedum:anchor:public_members
    // sedum:restrictCopying:move_only {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","policy":"move_only"}}
    IOBuffer(const IOBuffer&) = delete;
    IOBuffer& operator=(const IOBuffer&) = delete;
    IOBuffer(IOBuffer&&) = default;
    IOBuffer& operator=(IOBuffer&&) = default;
    // /sedum:restrictCopying:move_only
    // sedum:declareMethod:changes {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"changes","name":"write","params":"const std::byte* data, std::size_t size","returns":"bool"}}
    bool write(const std::byte* data, std::size_t size);
    // /sedum:declareMethod:changes
    // sedum:declareMethod:changes {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"changes","name":"drain","params":"","returns":"std::vector<std::byte>"}}
    std::vector<std::byte> drain();
    // /sedum:declareMethod:changes
    // sedum:declareMethod:reads {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","effect":"reads","name":"free_space","params":"","returns":"std::size_t"}}
    [[nodiscard]] std::size_t freeSpace() const;
    // /sedum:declareMethod:reads
    // sedum:addAccessor:value {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","kind":"value","name":"capacity","type":"std::size_t"}}
    [[nodiscard]] std::size_t capacity() const { return capacity_; }
    // /sedum:addAccessor:value
    // sedum:addAccessor:setter {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","kind":"setter","name":"capacity","type":"std::size_t"}}
    void setCapacity(const std::size_t& value) { capacity_ = value; }
    // /sedum:addAccessor:setter

private:
    // sedum:anchor:private_members
    // sedum:addMember {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","initial":"{}","name":"bytes","type":"std::vector<std::byte>"}}
    std::vector<std::byte> bytes_{};
    // /sedum:addMember
    // sedum:addMember {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","initial":"{4096}","name":"capacity","type":"std::size_t"}}
    std::size_t capacity_{4096};
    // /sedum:addMember
    // sedum:addMember {"tier":"owned","record":"prov-2026-native0001","kwargs":{"class":"io_buffer","initial":"{OverflowPolicy::kReject}","name":"overflow_policy","type":"OverflowPolicy"}}
    OverflowPolicy overflow_policy_{OverflowPolicy::kReject};
    // /sedum:addMember
};

}  // namespace wire

#endif  // WIRE_IO_BUFFER_HPP
