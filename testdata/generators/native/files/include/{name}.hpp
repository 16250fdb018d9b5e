#ifndef {{root_namespace|macro}}_{{name|guard}}
#define {{root_namespace|macro}}_{{name|guard}}

// sedum:anchor:includes

namespace {{root_namespace}} {

// sedum:anchor:types

class {{name|pascal}} {
public:
    {{name|pascal}}() = default;
    // sedum:anchor:public_members

private:
    // sedum:anchor:private_members
};

}  // namespace {{root_namespace}}

#endif  // {{root_namespace|macro}}_{{name|guard}}
