
TEST({{class|testsuite}}, {{name|pascal}}) {
    GTEST_SKIP() << "not written yet";
}
