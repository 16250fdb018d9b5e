
TEST({{class|testsuite}}, Constructs) {
    EXPECT_NO_THROW({{root_namespace}}::{{class|pascal}}{});
}
