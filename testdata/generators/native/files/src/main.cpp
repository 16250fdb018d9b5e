// sedum:anchor:includes

int main() {
    // sedum:anchor:statements

    return 0;
}
