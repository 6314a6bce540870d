/* Cortex-M4F on the board MPS2 AN386: prints through the debugger, counts instructions
   with the system timer, 40 of them to a tick when qemu is told icount shift=0. */
#include <stdint.h>

#define IN_FLASH
#define BOARD_REPEATS 40
#define BOARD_TICK 40
#define BOARD_MEASURED 1
#define PAINT 0xa5a5a5a5u
#define SYSTICK ((volatile uint32_t *)0xe000e010)
#define COPROCESSORS (*(volatile uint32_t *)0xe000ed88)

extern uint32_t firmware_bss[], firmware_end[], firmware_stack[];
int main(void);
static char line[256];
static uint32_t filled;

static int32_t debugger(uint32_t call, const void *with)
{
  register uint32_t r0 __asm__("r0") = call;
  register const void *r1 __asm__("r1") = with;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return (int32_t)r0;
}

static void board_put(char c)
{
  line[filled++] = c;
  if (c == '\n' || filled == sizeof line - 1) {
    line[filled] = 0;
    debugger(0x04, line); /* write a string */
    filled = 0;
  }
}

static inline void board_start(void)
{
  uint32_t here;
  for (uint32_t *at = firmware_end; at < &here - 8; ++at)
    *at = PAINT;
  SYSTICK[1] = 0xffffff;
  SYSTICK[2] = 0;
  SYSTICK[0] = 5;
}

static inline void board_stop(void)
{
  debugger(0x18, (const void *)0x20026); /* the program has ended */
}

/* The timer counts down from 24 bits. */
static uint32_t board_clock(void) { return 0xffffff - SYSTICK[2]; }

static uint32_t board_memory(void)
{
  uint32_t left = 0;
  for (const uint32_t *at = firmware_end; at < firmware_stack && *at == PAINT; ++at)
    left += 4;
  const uint32_t all = (uint32_t)firmware_stack - (uint32_t)firmware_bss;
  return left ? all - left : 0xffffffff;
}

static inline uint32_t board_word(const uint32_t *table, uint32_t i)
{
  return table[i];
}

static void fault(void)
{
  board_put('f');
  board_put('\n');
  debugger(0x18, (const void *)0x20023); /* the program has failed */
}

void firmware_reset(void)
{
  COPROCESSORS |= 0xfu << 20;
  __asm__ volatile("dsb\n\tisb");
  for (uint32_t *at = firmware_bss; at < firmware_end; ++at)
    *at = 0;
  main();
  for (;;)
    ;
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {
  firmware_stack, (void *)firmware_reset, (void *)fault, (void *)fault,
  (void *)fault, (void *)fault, (void *)fault,
};
