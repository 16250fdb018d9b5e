// sedum:anchor:includes
// sedum:addInclude:system {"tier":"owned","record":"prov-2026-native0002","kwargs":{"file":"src/main.cpp","header":"iostream","origin":"system"}}
#include <iostream>
// /sedum:addInclude:system

int main() {
    // sedum:anchor:statements
    // sedum:addStatement {"tier":"owned","record":"prov-2026-native0002","kwargs":{"statement":"std::cout << \"wire 0.1\\n\";"}}
    std::cout << "wire 0.1\n";
    // /sedum:addStatement

    return 0;
}
