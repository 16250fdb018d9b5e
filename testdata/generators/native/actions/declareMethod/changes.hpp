    {{returns}} {{name|camel}}({{params}});
