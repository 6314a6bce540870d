/* ATmega128: prints on its serial port, counts cycles with timer 1. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#include <stdint.h>

#define IN_FLASH PROGMEM
#define BOARD_REPEATS 1
#define BOARD_TICK 1
#define BOARD_MEASURED 65535
#define PAINT 0xa5

extern uint8_t _end;
static volatile uint16_t overflows;

ISR(TIMER1_OVF_vect) { ++overflows; }

static inline void board_start(void)
{
  for (uint8_t *at = &_end; at < (uint8_t *)SP; ++at)
    *at = PAINT;
  UBRR0L = 0;
  UCSR0A = 1 << U2X0;
  UCSR0B = 1 << TXEN0;
  TCCR1B = 1 << CS10;
  TIMSK |= 1 << TOIE1;
  sei();
}

static inline void board_stop(void)
{
  for (volatile uint16_t wait = 0; wait < 1000; ++wait)
    ; /* the last two letters leave */
  cli();
  sleep_enable();
  sleep_cpu();
}

static void board_put(char c)
{
  while (!(UCSR0A & (1 << UDRE0)))
    ;
  UDR0 = c;
}

static uint32_t board_clock(void)
{
  cli();
  const uint16_t count = TCNT1;
  uint16_t high = overflows;
  if ((TIFR & (1 << TOV1)) && count < 0x8000)
    ++high;
  sei();
  return ((uint32_t)high << 16) | count;
}

/* Bytes of memory in use: everything but the paint left between data and stack. */
static uint32_t board_memory(void)
{
  uint16_t left = 0;
  for (const uint8_t *at = &_end; at < (uint8_t *)SP && *at == PAINT; ++at)
    ++left;
  return left ? RAMEND + 1 - RAMSTART - left : 0xffffffff;
}

static inline uint32_t board_word(const uint32_t *table, uint32_t i)
{
  return pgm_read_dword(table + i);
}
