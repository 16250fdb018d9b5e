    [[nodiscard]] const {{type}}& {{name|camel}}() const { return {{name|member}}; }
