    {{type}} {{name|member}}{{initial}};
