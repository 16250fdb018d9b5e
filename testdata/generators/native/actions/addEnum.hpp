enum class {{name|pascal}} { k{{values|join:, k}} };
