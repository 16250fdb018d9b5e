    {{class|pascal}}(const {{class|pascal}}&) = delete;
    {{class|pascal}}& operator=(const {{class|pascal}}&) = delete;
    {{class|pascal}}({{class|pascal}}&&) = default;
    {{class|pascal}}& operator=({{class|pascal}}&&) = default;
