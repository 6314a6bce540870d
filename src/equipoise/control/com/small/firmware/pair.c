/* Two modules on emulated ATmega128, held together at connector 0: what one sends on its
   serial line the other hears. Needs libsimavr.

   pair FIRMWARE ROUNDS         each module has one processor
   pair LINKS JOINTS ROUNDS     each module has two, their lines 1 joined

   Prints, with the cycle at which it happened; the processors for joints are 2 and 3:
     R m cycle        processor m starts a round
     S m cycle line   processor m has sent a line to the other module, end not shown
     B m cycles       the longest round of processor m, at the end
     M m bytes        memory that processor m never used, at the end */
#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK 16000000
#define ROUND (CLOCK / 100)
#define LATE (ROUND / 2) /* the second one is switched on later */
#define PAINT 0xa5
#define LONGEST 80

struct node {
  avr_t *avr;
  struct node *other;     /* who hears what it says to the other module */
  avr_irq_t *ear, *inner; /* its lines 0 and 1 */
  int name;
  avr_cycle_count_t began, longest;
  uint8_t line[LONGEST];
  int filled;
};

static struct node node[4];
static int rounds, count;

static avr_cycle_count_t now(const struct node *n)
{
  return n->avr->cycle + (n->name & 1 ? LATE : 0);
}

static void on_byte(avr_irq_t *irq, uint32_t value, void *param)
{
  struct node *n = param;
  (void)irq;
  avr_raise_irq(n->other->ear, value);
  if ((uint8_t)value != 0) {
    if (n->filled < LONGEST)
      n->line[n->filled++] = (uint8_t)value;
    return;
  }
  printf("S %d %llu ", n->name, (unsigned long long)now(n));
  for (int k = 0; k < n->filled; ++k)
    printf("%02x", n->line[k]);
  printf("\n");
  n->filled = 0;
}

static void on_mark(avr_irq_t *irq, uint32_t value, void *param)
{
  struct node *n = param;
  (void)irq;
  if (value) {
    printf("R %d %llu\n", n->name, (unsigned long long)now(n));
    rounds += n->name == 1;
    n->began = n->avr->cycle;
  } else if (n->began && n->avr->cycle - n->began > n->longest) {
    n->longest = n->avr->cycle - n->began;
  }
}

/* Line 1 goes to the other processor of the same module. */
static void on_inner_byte(avr_irq_t *irq, uint32_t value, void *param)
{
  const struct node *n = param;
  (void)irq;
  if (count == 4)
    avr_raise_irq(node[n->name ^ 2].inner, value);
}

/* id 5 or 9; connector 0 is docked, straight; the second one stands on the ground. */
static void furnish(struct node *n, const char *file)
{
  elf_firmware_t firmware;
  memset(&firmware, 0, sizeof firmware);
  if (elf_read_firmware(file, &firmware) != 0)
    exit(1);
  n->avr = avr_make_mcu_by_name("atmega128");
  if (!n->avr)
    exit(1);
  avr_init(n->avr);
  avr_load_firmware(n->avr, &firmware);
  n->avr->frequency = CLOCK;
  n->avr->vcc = n->avr->avcc = n->avr->aref = 5000;
  const int second = n->name & 1;
  uint8_t own[10] = {second ? 9 : 5, 0, (uint8_t)(7 + second), 0};
  avr_eeprom_desc_t kept = {.ee = own, .offset = 0, .size = sizeof own};
  avr_ioctl(n->avr, AVR_IOCTL_EEPROM_SET, &kept);
  uint32_t flags = 0;
  avr_ioctl(n->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_ioctl(n->avr, AVR_IOCTL_UART_SET_FLAGS('1'), &flags);
  n->ear = avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  avr_irq_register_notify(
    avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, n);
  n->inner = avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('1'), UART_IRQ_INPUT);
  avr_irq_register_notify(
    avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('1'), UART_IRQ_OUTPUT), on_inner_byte, n);
  avr_irq_register_notify(
    avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), on_mark, n);
  avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 0), 1);
  avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 6),
                (uint32_t)second);
  for (int k = 0; k < 3; ++k)
    avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + k),
                  (uint32_t)(2500 + 300 * (k + 1) * (second ? 1 : -1)));
}

static int unused(const avr_t *avr)
{
  int best = 0, row = 0;
  for (int k = 0x100; k <= avr->ramend; ++k) {
    row = avr->data[k] == PAINT ? row + 1 : 0;
    best = row > best ? row : best;
  }
  return best;
}

int main(int given, char **arguments)
{
  if (given != 3 && given != 4)
    return 2;
  const int wanted = atoi(arguments[given - 1]);
  count = given == 4 ? 4 : 2;
  for (int k = 0; k < count; ++k) {
    node[k].name = k;
    node[k].other = &node[k ^ 1];
    furnish(&node[k], arguments[1 + k / 2]);
  }
  while (rounds < wanted) {
    struct node *n = &node[0];
    for (int k = 1; k < count; ++k)
      if (now(&node[k]) < now(n))
        n = &node[k];
    const int state = avr_run(n->avr);
    if (state == cpu_Done || state == cpu_Crashed)
      return 1;
  }
  for (int k = 0; k < count; ++k) {
    printf("B %d %llu\n", k, (unsigned long long)node[k].longest);
    printf("M %d %d\n", k, unused(node[k].avr));
  }
  return 0;
}
