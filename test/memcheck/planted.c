/* Two faults, of which the checker must see each: `planted read` reads what is freed, `planted leak` forgets memory. */
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2)
    return 2;
  volatile char *memory = malloc(16);
  memory[0] = 0;
  if (strcmp(argv[1], "read") == 0) {
    free((void *)memory);
    return memory[0] ? 3 : 0;
  }
  memory = NULL;
  return 0;
}
