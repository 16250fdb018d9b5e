    [[nodiscard]] {{returns}} {{name|camel}}({{params}}) const;
