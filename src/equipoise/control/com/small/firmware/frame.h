/* One message of the module protocol: 64 bytes, fixed places, little endian. On a serial
   line a frame is stuffed so that it holds no zero byte, and ends with one: 66 bytes, and
   whoever starts to listen in the middle finds the next frame. */
#ifndef FRAME_H
#define FRAME_H

#include <stdint.h>

#define FRAME 64
#define LINE (FRAME + 2)
#define PAYLOAD 40
#define PAYLOAD_AT 24

enum { PAR = 1, F = 2, G = 4, DIRTY = 8, HEARD = 16, OPEN = 32, REF = 64, SUM = 128 };
#define INCUMBENT 0x8000u

struct head {
  uint8_t flags, seq, echo, dist;
  uint16_t sender, root, epoch;
  uint8_t count, join;
  uint16_t cand;
  uint8_t feet[3], age;
  uint32_t token;
};

/* Write the checksum, or look whether it is right. */
void frame_seal(uint8_t frame[FRAME]);
uint8_t frame_is_whole(const uint8_t frame[FRAME]);

/* Header and checksum; the 40 bytes of the payload are there already. */
void frame_pack(uint8_t frame[FRAME], const struct head *head);

/* Returns 0 where the checksum or a name is wrong; head is not written then. */
uint8_t frame_unpack(const uint8_t frame[FRAME], struct head *head);

/* In place: the frame in bytes 1 to 64 becomes what goes over a line, end included. */
void line_pack(uint8_t line[LINE]);

/* In place: 65 bytes of a line without its end become a frame. Returns 0 where they
   cannot be one. */
uint8_t line_unpack(uint8_t line[LINE - 1]);

#endif
