/* ATmega128 at 16 MHz. Where the wires go is our choice, no circuit diagram was at hand:
   joint angles on ADC 0 to 2, docks on pins C0 to C5, the ground on C6, drives on
   OC3A to OC3C with their directions on D4 to D6; serial lines of connectors 0 and 3;
   pin B0 is high while a round is computed. The world frame is not wired: joints hold
   until board_sense fills it in. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>

#include "board.h"
#include "module.h"

#define PAINT 0xa5
#define STEPS 512 /* of the angle's converter, either way */

struct serial {
  volatile uint8_t in[LINE - 1], out[LINE];
  volatile uint8_t filled, ready, at;
};

static struct serial serial[LINES];
static const float EFFORT[JOINTS] = MODULE_EFFORT;
static const float SPAN[JOINTS] = MODULE_SPAN, REST[JOINTS] = MODULE_REST;
extern uint8_t _end;

static void receive(struct serial *s, uint8_t byte)
{
  if (s->ready) { /* nobody has read the last one: this one is lost */
    s->filled = LINE;
  } else if (byte == 0) {
    s->ready = s->filled == LINE - 1;
    s->filled = 0;
  } else if (s->filled < LINE - 1) {
    s->in[s->filled++] = byte;
  } else {
    s->filled = LINE; /* too long: wait for its end */
  }
}

ISR(USART0_RX_vect) { receive(&serial[0], UDR0); }
ISR(USART1_RX_vect) { receive(&serial[1], UDR1); }

ISR(USART0_UDRE_vect)
{
  UDR0 = serial[0].out[serial[0].at];
  if (++serial[0].at == LINE)
    UCSR0B &= (uint8_t)~(1 << UDRIE0);
}

ISR(USART1_UDRE_vect)
{
  UDR1 = serial[1].out[serial[1].at];
  if (++serial[1].at == LINE)
    UCSR1B &= (uint8_t)~(1 << UDRIE1);
}

static void start_ports(void)
{
  DDRB = 1;
  DDRD = 7 << 4;
  DDRE = 7 << 3;
  PORTC = 0;
  UCSR0A = 1 << U2X0;
  UCSR1A = 1 << U2X1;
  UBRR0L = UBRR1L = 7; /* 250 kbit/s */
  UCSR0B = 1 << RXEN0 | 1 << TXEN0 | 1 << RXCIE0;
  UCSR1B = 1 << RXEN1 | 1 << TXEN1 | 1 << RXCIE1;
  ADCSRA = 1 << ADEN | 7;
  OCR1A = F_CPU / 64 / ROUND_HZ - 1;
  TCCR1B = 1 << WGM12 | 3; /* clock / 64 */
  TCCR3A = 0xa9;           /* fast, 8 bits, three outputs */
  TCCR3B = 1 << WGM32 | 1;
}

void board_start(struct identity *own)
{
  for (uint8_t *at = &_end; at < (uint8_t *)SP; ++at)
    *at = PAINT;
  for (uint8_t k = 0; k < LINES; ++k)
    serial[k].at = LINE;
  eeprom_read_block(own, (const void *)0, sizeof *own);
  while (own->id < 1 || own->id > 32766) /* nobody may speak without a name */
    eeprom_read_block(own, (const void *)0, sizeof *own);
  ++own->boots;
  eeprom_update_word((uint16_t *)2, own->boots);
  start_ports();
  sei();
}

uint8_t board_is_round(void)
{
  if (!(TIFR & 1 << OCF1A))
    return 0;
  TIFR = 1 << OCF1A;
  return 1;
}

void board_mark(uint8_t busy) { PORTB = busy; }

static float angle(uint8_t joint)
{
  ADMUX = (uint8_t)(1 << REFS0 | joint);
  ADCSRA |= 1 << ADSC;
  while (ADCSRA & 1 << ADSC)
    ;
  return REST[joint] + (float)((int16_t)ADC - STEPS) * SPAN[joint];
}

void board_sense(struct senses *s)
{
  for (uint8_t j = 0; j < JOINTS; ++j) {
    const float now = angle(j);
    s->rate[j] = (now - s->angle[j]) * ROUND_HZ;
    s->angle[j] = now;
  }
  const uint8_t pins = PINC, touches = pins >> 6 & 1;
  s->foot = (uint8_t)(s->foot + (touches && !s->touching));
  s->touching = touches;
  s->attached = pins & 0x3f;
}

static uint8_t share(float torque, float effort)
{
  const float part = effort > 0.0f ? 255.0f * torque / effort : 0.0f;
  return (uint8_t)(int16_t)(part < 0.0f ? -part : part);
}

void board_drive(const float torque[JOINTS])
{
  uint8_t signs = 0;
  for (uint8_t j = 0; j < JOINTS; ++j)
    if (torque[j] < 0.0f)
      signs |= (uint8_t)(1 << j);
  PORTD = (uint8_t)(signs << 4);
  OCR3A = share(torque[0], EFFORT[0]);
  OCR3B = share(torque[1], EFFORT[1]);
  OCR3C = share(torque[2], EFFORT[2]);
}

uint8_t board_port(uint8_t line) { return line ? 3 : 0; }

uint8_t *board_line(uint8_t line)
{
  return serial[line].ready ? (uint8_t *)serial[line].in : 0;
}

void board_read(uint8_t line) { serial[line].ready = 0; }

uint8_t *board_room(uint8_t line)
{
  return serial[line].at == LINE ? (uint8_t *)serial[line].out : 0;
}

void board_send(uint8_t line)
{
  serial[line].at = 0;
  if (line == 0)
    UCSR0B |= 1 << UDRIE0;
  else
    UCSR1B |= 1 << UDRIE1;
}
