    {{class|pascal}}(const {{class|pascal}}&) = delete;
    {{class|pascal}}& operator=(const {{class|pascal}}&) = delete;
