/* The second of two processors: joints. It steers by what the first one last knew, four
   times in its round, and holds when that is silent or does not know. */
#include "board.h"
#include "link.h"

#define LINK 1
#define EACH 4     /* ticks for one line to the first processor */
#define SILENT 40  /* ticks without a word after which masses are not believed */

static struct senses senses;
static struct mass mass;
static struct frames frames;
static struct drive joints;
static uint8_t steers, silence = SILENT, ticks;

static void read_line(void)
{
  uint8_t *line = board_line(LINK);
  if (!line)
    return;
  if (line_unpack(line) && link_unpack_mass(line, &mass, &steers))
    silence = 0;
  board_read(LINK);
}

static void send_line(void)
{
  uint8_t *line = board_room(LINK);
  if (++ticks % EACH || !line)
    return;
  link_pack_senses(line + 1, &senses);
  line_pack(line);
  board_send(LINK);
}

int main(void)
{
  struct identity own;
  board_start(&own);
  drive_start(&joints);
  for (;;) {
    read_line();
    if (!board_is_round())
      continue;
    board_mark(1);
    silence += silence < SILENT;
    board_sense(&senses);
    frames_update(&frames, senses.angle);
    drive(&joints, steers && silence < SILENT && senses.has_aim, &mass, &frames,
          &senses);
    board_drive(joints.torque);
    send_line();
    board_mark(0);
  }
}
