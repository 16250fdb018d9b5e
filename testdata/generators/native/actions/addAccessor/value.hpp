    [[nodiscard]] {{type}} {{name|camel}}() const { return {{name|member}}; }
