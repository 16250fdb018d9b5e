    void set{{name|pascal}}(const {{type}}& value) { {{name|member}} = value; }
