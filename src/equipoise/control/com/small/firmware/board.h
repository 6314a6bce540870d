/* What the program needs of the hardware around it. */
#ifndef BOARD_H
#define BOARD_H

#include "program.h"

#define LINES 2 /* connectors with a serial line of their own */
#ifndef ROUND_HZ
#define ROUND_HZ 100
#endif

struct identity { /* kept in EEPROM */
  uint16_t id;     /* 1 to 32766 */
  uint16_t boots;  /* counted up at each start: no two starts draw the same numbers */
  uint8_t quarter[PORTS];
};

void board_start(struct identity *own);
uint8_t board_is_round(void); /* 1 once in each round */
void board_mark(uint8_t busy);
void board_sense(struct senses *s);
void board_drive(const float torque[JOINTS]);

/* The connector of a line. */
uint8_t board_port(uint8_t line);

/* A line that came in, 65 bytes, or 0; it is kept until board_read is called. */
uint8_t *board_line(uint8_t line);
void board_read(uint8_t line);

/* Room for the next line out, 66 bytes, or 0 while the last one still goes out. */
uint8_t *board_room(uint8_t line);
void board_send(uint8_t line);

#endif
