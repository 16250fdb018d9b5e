
TEST({{class|testsuite}}, Copies) {
    const {{root_namespace}}::{{class|pascal}} original;
    EXPECT_NO_THROW(({{root_namespace}}::{{class|pascal}}{original}));
}
