/* Two modules, each on an emulated ATmega128, held together at connector 0: what one
   sends on its serial line the other hears. Needs libsimavr.

   pair FIRMWARE ROUNDS prints, with the cycle at which it happened:
     R m cycle        module m starts a round
     S m cycle line   module m has sent a line, its end not shown
     M m bytes        memory that module m never used, at the end */
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
  struct node *other;
  avr_irq_t *ear;
  int name;
  uint8_t line[LONGEST];
  int filled;
};

static struct node node[2];
static int rounds;

static avr_cycle_count_t now(const struct node *n)
{
  return n->avr->cycle + (n->name ? LATE : 0);
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
  const struct node *n = param;
  (void)irq;
  if (value) {
    printf("R %d %llu\n", n->name, (unsigned long long)now(n));
    rounds += n->name;
  }
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
  uint8_t own[10] = {n->name ? 9 : 5, 0, (uint8_t)(7 + n->name), 0};
  avr_eeprom_desc_t kept = {.ee = own, .offset = 0, .size = sizeof own};
  avr_ioctl(n->avr, AVR_IOCTL_EEPROM_SET, &kept);
  uint32_t flags = 0;
  avr_ioctl(n->avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_ioctl(n->avr, AVR_IOCTL_UART_SET_FLAGS('1'), &flags);
  n->ear = avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  avr_irq_register_notify(
    avr_io_getirq(n->avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, n);
  avr_irq_register_notify(
    avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), on_mark, n);
  avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 0), 1);
  avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_IOPORT_GETIRQ('C'), 6),
                (uint32_t)n->name);
  for (int k = 0; k < 3; ++k)
    avr_raise_irq(avr_io_getirq(n->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + k),
                  (uint32_t)(2500 + 300 * (k + 1) * (n->name ? 1 : -1)));
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

int main(int count, char **arguments)
{
  if (count != 3)
    return 2;
  const int wanted = atoi(arguments[2]);
  for (int k = 0; k < 2; ++k) {
    node[k].name = k;
    node[k].other = &node[1 - k];
    furnish(&node[k], arguments[1]);
  }
  while (rounds < wanted) {
    struct node *n = now(&node[0]) <= now(&node[1]) ? &node[0] : &node[1];
    const int state = avr_run(n->avr);
    if (state == cpu_Done || state == cpu_Crashed)
      return 1;
  }
  for (int k = 0; k < 2; ++k)
    printf("M %d %d\n", k, unused(node[k].avr));
  return 0;
}
