
{{returns}} {{class|pascal}}::{{name|camel}}({{params}}) {
    throw std::logic_error("{{class|pascal}}::{{name|camel}} is not written yet");
}
