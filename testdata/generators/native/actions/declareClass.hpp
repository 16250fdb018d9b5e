class {{other|pascal}};
