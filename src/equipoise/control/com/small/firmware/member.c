/* Links, tree and freezing: steps 0 to 6 of a round. Sums and what is known: sums.c. */
#include "member.h"

#include <string.h>

#include "sums.h"

#define FULL 255
#define BIT(p) ((uint8_t)(1u << (p)))

static uint8_t one_more(uint8_t count)
{
  return count == FULL ? FULL : (uint8_t)(count + 1);
}

static uint8_t is_newer(uint16_t a, uint16_t b)
{
  const uint16_t ahead = (uint16_t)(a - b);
  return ahead > 0 && ahead < 0x8000u;
}

static uint8_t same_tree(const struct member *m, const struct head *h)
{
  return h->root == m->root && h->epoch == m->epoch;
}

void member_boot(struct member *m, uint16_t id, uint8_t seq, uint16_t epoch,
                 uint8_t join)
{
  memset(m, 0, sizeof *m);
  m->id = m->root = id;
  m->seq = seq;
  m->own_epoch = m->epoch = epoch;
  m->join = join;
  m->parent = -1;
  m->leader = UNKNOWN;
  for (uint8_t p = 0; p < PORTS; ++p)
    m->port[p].quiet = FULL;
}

uint8_t member_take(struct member *m, uint8_t p, const struct head *head,
                    const void *value)
{
  struct port *port = &m->port[p];
  const uint8_t bit = BIT(p);
  if (head->sender == 0 || head->sender == m->id)
    return 0;
  if (port->peer != 0 && head->sender != port->peer) {
    port->good = port->half = 0;
    m->up &= (uint8_t)~bit;
    m->has_value &= (uint8_t)~bit;
  } else if ((m->fresh & bit) || port->quiet < SILENCE) {
    const uint8_t ahead = (uint8_t)(head->seq - port->head.seq);
    if (ahead < 1 || ahead > 127)
      return 0;
  }
  if (!(head->flags & F) || head->root != port->head.root ||
      head->epoch != port->head.epoch || head->join != port->head.join)
    m->has_value &= (uint8_t)~bit;
  port->head = *head;
  port->peer = head->sender;
  m->fresh |= bit;
  if ((head->flags & F) && (head->flags & SUM)) {
    memcpy(port->value, value, sizeof port->value);
    m->has_value |= bit;
  }
  return 1;
}

static void judge_links(struct member *m)
{
  m->up = 0;
  for (uint8_t p = 0; p < PORTS; ++p) {
    struct port *port = &m->port[p];
    port->quiet = m->fresh & BIT(p) ? 0 : one_more(port->quiet);
    if (port->quiet >= SILENCE) {
      port->peer = 0;
      m->has_value &= (uint8_t)~BIT(p);
    }
    const uint8_t ok = port->peer != 0 && (port->head.flags & HEARD) &&
                       (uint8_t)(m->seq - port->head.echo) <= ECHO;
    port->good = ok ? (port->good ? 2 : 1) : 0;
    if (port->good == 2)
      m->up |= BIT(p);
    port->half = port->peer != 0 && port->good < 2 ? one_more(port->half) : 0;
  }
  m->fresh = 0;
}

static void keep_silent(struct member *m)
{
  for (uint8_t p = 0; p < PORTS; ++p)
    m->port[p].good = 0;
  m->up = m->talks = m->tree = m->f_in = m->v_in = 0;
  m->f_out = m->v_out = m->g_out = 0;
  m->known = m->steady = m->open = m->count = m->age = 0;
  memset(m->feet, 0, sizeof m->feet);
  m->leader = UNKNOWN;
}

static void enter(struct member *m, uint16_t root, uint16_t epoch, uint8_t dist,
                  int8_t parent)
{
  ++m->join;
  m->root = root;
  m->epoch = epoch;
  m->dist = dist;
  m->parent = parent;
  m->rounds = m->frozen = m->dirty = m->g = m->calm = 0;
  m->rec = m->rec_child = 0;
  m->own_token = 0;
}

static void next_own(struct member *m)
{
  ++m->own_epoch;
  enter(m, m->id, m->own_epoch, 0, -1);
}

static void claim_name(struct member *m)
{
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    if (!(m->up & BIT(p)) || h->root != m->id || !is_newer(h->epoch, m->own_epoch))
      continue;
    m->own_epoch = h->epoch;
    if (m->root == m->id)
      next_own(m);
  }
}

static uint8_t in_slot(const struct slot *s, uint16_t root, uint16_t epoch)
{
  return s->timer > 0 && s->root == root && (uint16_t)(s->epoch - epoch) < WINDOW;
}

static uint8_t is_refused(const struct member *m, const struct head *h)
{
  for (uint8_t i = 0; i < SLOTS; ++i)
    if (in_slot(&m->slot[i], h->root, h->epoch))
      return 1;
  return 0;
}

/* in the place of one of the same root shortly before or after, of one that ran out, or
   of the smallest root */
static void leave(struct member *m)
{
  if (m->root == m->id)
    return;
  struct slot *slot = m->slot;
  int32_t least = INT32_MAX;
  for (uint8_t i = 0; i < SLOTS; ++i) {
    struct slot *s = &m->slot[i];
    const uint8_t near = (uint16_t)(m->epoch - s->epoch + WINDOW) < 2 * WINDOW;
    const uint8_t mine = s->timer > 0 && s->root == m->root && near;
    const int32_t key = mine ? -1 : s->timer > 0 ? (int32_t)s->root : 0;
    if (key < least) {
      slot = s;
      least = key;
    }
  }
  slot->root = m->root;
  slot->epoch = m->epoch;
  slot->timer = MEMORY;
}

static int8_t best_offer(const struct member *m)
{
  const struct head *best = 0;
  int8_t found = -1;
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    if (!(m->up & BIT(p)) || h->root <= m->id || (h->flags & PAR) ||
        h->dist + 1 > HOPS || is_refused(m, h))
      continue;
    if (!best || h->root > best->root ||
        (h->root == best->root &&
         (is_newer(h->epoch, best->epoch) ||
          (h->epoch == best->epoch && h->dist < best->dist)))) {
      best = h;
      found = (int8_t)p;
    }
  }
  return found;
}

static uint8_t has_good_parent(const struct member *m)
{
  const struct head *h = &m->port[m->parent].head;
  return (m->up & BIT(m->parent)) && same_tree(m, h) && h->dist == m->dist - 1 &&
         !(h->flags & PAR);
}

static void choose_tree(struct member *m)
{
  const uint8_t is_root = m->root == m->id;
  if (is_root != (m->parent == -1) || m->dist > HOPS || (is_root && m->dist != 0) ||
      m->root < m->id)
    next_own(m);
  const int8_t best = best_offer(m);
  const struct head *h = &m->port[best < 0 ? 0 : best].head;
  if (best >= 0 && (h->root > m->root ||
                    (h->root == m->root && is_newer(h->epoch, m->epoch)))) {
    leave(m);
    enter(m, h->root, h->epoch, (uint8_t)(h->dist + 1), best);
  } else if (m->parent >= 0 && !has_good_parent(m)) {
    leave(m);
    next_own(m);
  }
  m->refused = 0;
  for (uint8_t p = 0; p < PORTS; ++p) {
    h = &m->port[p].head;
    if ((m->up & BIT(p)) && h->root > m->root && is_refused(m, h))
      m->refused |= BIT(p);
  }
}

static uint8_t is_resolved(struct member *m)
{
  uint8_t settled = 1;
  m->child = 0;
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    const uint8_t half = m->port[p].half;
    if (half >= 1 && half <= 2 * SILENCE)
      settled = 0;
    if (!(m->up & BIT(p)))
      continue;
    if ((uint8_t)(m->seq - h->echo) > m->rounds) /* has not heard me in this epoch */
      settled = 0;
    const uint8_t same = same_tree(m, h), says_parent = h->flags & PAR;
    if (same && says_parent && h->dist == m->dist + 1)
      m->child |= BIT(p);
    else if (p != m->parent && !(same && !says_parent))
      settled = 0;
  }
  return settled;
}

static uint8_t has_changed(const struct member *m)
{
  if (m->up != m->rec || ((m->child ^ m->rec_child) & m->rec))
    return 1;
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct port *port = &m->port[p];
    if ((m->rec & BIT(p)) &&
        (port->peer != port->rec_peer || port->head.join != port->rec_join))
      return 1;
  }
  return 0;
}

static void record(struct member *m)
{
  m->frozen = 1;
  m->rec = m->up;
  m->rec_child = m->child;
  for (uint8_t p = 0; p < PORTS; ++p) {
    m->port[p].rec_peer = m->port[p].peer;
    m->port[p].rec_join = m->port[p].head.join;
  }
  m->own_token = link_token(m);
}

static void freeze(struct member *m)
{
  const uint8_t settled = is_resolved(m);
  if (m->frozen) {
    if (has_changed(m))
      m->dirty = 1;
  } else if (!m->dirty && settled && m->boot >= QUARANTINE + LISTEN && m->rounds >= 2) {
    record(m);
  }
  if (m->rounds >= 2)
    for (uint8_t p = 0; p < PORTS; ++p)
      if ((m->up & BIT(p)) && (m->port[p].head.flags & REF))
        m->dirty = 1;
  if (!m->frozen && m->rounds > JOIN)
    m->dirty = 1;
}

static void bump(struct member *m)
{
  m->dirty_out = m->dirty;
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    if ((m->up & BIT(p)) && (h->flags & DIRTY) && same_tree(m, h))
      m->dirty_out = 1;
  }
  if (m->dirty_out && m->root == m->id && m->since_bump >= BUMP) {
    if (m->boot < FULL && !m->g) /* leap over what is refused since my last life */
      m->own_epoch = (uint16_t)(m->own_epoch + LEAP - 1);
    next_own(m);
    m->since_bump = m->dirty_out = 0;
  }
}

void member_decide(struct member *m, uint8_t touching, uint8_t foot, uint8_t attached)
{
  ++m->seq;
  m->boot = one_more(m->boot);
  m->rounds = one_more(m->rounds);
  m->since_bump = one_more(m->since_bump);
  for (uint8_t i = 0; i < SLOTS; ++i)
    m->slot[i].timer -= m->slot[i].timer > 0;
  judge_links(m);
  if (m->boot <= QUARANTINE) {
    keep_silent(m);
    return;
  }
  m->talks = 1;
  claim_name(m);
  choose_tree(m);
  freeze(m);
  bump(m);
  sums_decide(m, touching, foot, attached);
}
