// steam: error=uninitialised
static volatile int table[16];

__attribute__((noipa)) static void pass(unsigned *place) { (void)place; }

int main(void) {
    unsigned index;
    pass(&index);
    return table[index & 15]; /* ERROR */
}
