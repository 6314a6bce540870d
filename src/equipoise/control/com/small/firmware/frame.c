#include "frame.h"

#include "rules.h"

#define LAST 32766u /* of all names */

/* Polynomial 0x1021, most significant bit first, a byte at a time without a table. The
   version of the protocol is in the start value. */
static uint16_t crc_over(uint16_t crc, const uint8_t *data, uint8_t count)
{
  for (; count; --count) {
    crc = (uint16_t)(crc >> 8 | crc << 8);
    crc ^= *data++;
    crc ^= (uint16_t)((crc & 0xff) >> 4);
    crc ^= (uint16_t)(crc << 12);
    crc ^= (uint16_t)((crc & 0xff) << 5);
  }
  return crc;
}

static uint16_t checksum(const uint8_t *frame)
{
  const uint16_t head = crc_over(0xffff ^ VERSION, frame, 22);
  return crc_over(head, frame + PAYLOAD_AT, PAYLOAD);
}

static void put2(uint8_t *at, uint16_t value)
{
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static uint16_t get2(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }

void frame_seal(uint8_t frame[FRAME]) { put2(frame + 22, checksum(frame)); }

uint8_t frame_is_whole(const uint8_t frame[FRAME])
{
  return get2(frame + 22) == checksum(frame);
}

void frame_pack(uint8_t frame[FRAME], const struct head *head)
{
  frame[0] = head->flags;
  frame[1] = head->seq;
  frame[2] = head->echo;
  frame[3] = head->dist;
  put2(frame + 4, head->sender);
  put2(frame + 6, head->root);
  put2(frame + 8, head->epoch);
  frame[10] = head->count;
  frame[11] = head->join;
  put2(frame + 12, head->cand);
  for (uint8_t k = 0; k < 3; ++k)
    frame[14 + k] = head->feet[k];
  frame[17] = head->age;
  put2(frame + 18, (uint16_t)head->token);
  put2(frame + 20, (uint16_t)(head->token >> 16));
  frame_seal(frame);
}

/* A checksum of 16 bits lets one wild frame in 65,536 through; not with such names. */
static uint8_t is_name(uint16_t id) { return id >= 1 && id <= LAST; }

uint8_t frame_unpack(const uint8_t frame[FRAME], struct head *head)
{
  if (!frame_is_whole(frame) || !is_name(get2(frame + 4)) || !is_name(get2(frame + 6)) ||
      (get2(frame + 12) & (INCUMBENT - 1)) > LAST)
    return 0;
  head->flags = frame[0];
  head->seq = frame[1];
  head->echo = frame[2];
  head->dist = frame[3];
  head->sender = get2(frame + 4);
  head->root = get2(frame + 6);
  head->epoch = get2(frame + 8);
  head->count = frame[10];
  head->join = frame[11];
  head->cand = get2(frame + 12);
  for (uint8_t k = 0; k < 3; ++k)
    head->feet[k] = frame[14 + k];
  head->age = frame[17];
  head->token = get2(frame + 18) | (uint32_t)get2(frame + 20) << 16;
  return 1;
}

/* Every zero is replaced by the distance to the next one; the first distance leads. */
void line_pack(uint8_t line[LINE])
{
  uint8_t *gap = line, *at = line + 1;
  uint8_t distance = 1;
  for (uint8_t k = FRAME; k; --k, ++at, ++distance) {
    if (*at == 0) {
      *gap = distance;
      gap = at;
      distance = 0;
    }
  }
  *gap = distance;
  *at = 0;
}

uint8_t line_unpack(uint8_t line[LINE - 1])
{
  uint8_t next = line[0];
  for (uint8_t k = 1; k < LINE - 1; ++k) {
    if (line[k] == 0)
      return 0;
    if (k == next) {
      next = (uint8_t)(next + line[k]);
      line[k - 1] = 0;
    } else {
      line[k - 1] = line[k];
    }
  }
  return next == LINE - 1;
}
