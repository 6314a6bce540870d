#include "sums.h"

#include <string.h>

#include "rules.h"

#define FULL 255
#define BIT(p) ((uint8_t)(1u << (p)))

struct added { /* own and others */
  uint32_t token, feet;
  uint16_t count, age;
  uint8_t open;
};

static uint32_t mix(uint32_t x)
{
  x ^= x >> 16;
  x *= 0x7feb352dUL;
  x ^= x >> 15;
  x *= 0x846ca68bUL;
  return x ^ x >> 16;
}

uint32_t hash32(uint8_t count, const uint16_t *values)
{
  uint32_t word = 0x9e3779b9UL;
  while (count--)
    word = mix(word ^ *values++);
  return word;
}

static uint32_t feet_of(const uint8_t feet[3])
{
  return feet[0] | (uint32_t)feet[1] << 8 | (uint32_t)feet[2] << 16;
}

static void put_feet(uint8_t feet[3], uint32_t value)
{
  feet[0] = (uint8_t)value;
  feet[1] = (uint8_t)(value >> 8);
  feet[2] = (uint8_t)(value >> 16);
}

uint32_t link_token(const struct member *m)
{
  uint32_t token = 0;
  for (uint8_t p = 0; p < PORTS; ++p) {
    if (!(m->rec & BIT(p)))
      continue;
    const uint16_t peer = m->port[p].rec_peer;
    const uint8_t is_less = m->id < peer;
    const uint16_t words[4] = {is_less ? m->id : peer, is_less ? peer : m->id, m->root,
                               m->epoch};
    const uint32_t word = hash32(4, words);
    token += is_less ? word : 0 - word;
  }
  return token;
}

/* Candidates in order: the incumbent, then the larger lot, then the larger id. */
struct key {
  uint32_t lot;
  uint16_t cand;
};

static struct key key_of(const struct member *m, uint16_t cand)
{
  const uint16_t words[3] = {cand & (INCUMBENT - 1), m->root, m->epoch};
  const struct key key = {cand ? hash32(3, words) : 0, cand};
  return key;
}

static uint8_t is_better(const struct key *a, const struct key *b)
{
  if (a->cand == 0 || b->cand == 0)
    return a->cand != 0 && b->cand == 0;
  if ((a->cand ^ b->cand) & INCUMBENT)
    return (a->cand & INCUMBENT) != 0;
  return a->lot != b->lot ? a->lot > b->lot : a->cand > b->cand;
}

/* The best candidate, where it came from, and the best that came from elsewhere. */
static void choose(struct member *m)
{
  struct key best = key_of(m, m->own_cand), second = {0, 0};
  m->best_from = PORTS;
  for (uint8_t p = 0; p < PORTS; ++p) {
    if (!(m->tree & BIT(p)))
      continue;
    const struct key key = key_of(m, m->port[p].head.cand);
    if (is_better(&key, &best)) {
      second = best;
      best = key;
      m->best_from = p;
    } else if (is_better(&key, &second)) {
      second = key;
    }
  }
  m->best = best.cand;
  m->second = second.cand;
}

static void own_share(struct member *m, uint8_t touching, uint8_t foot,
                      uint8_t attached)
{
  const uint16_t words[2] = {m->id, foot};
  put_feet(m->own_feet, touching ? hash32(2, words) : 0);
  m->own_cand = touching ? (uint16_t)(m->id | (m->incumbent ? INCUMBENT : 0)) : 0;
  m->own_open = (attached & (uint8_t)~m->up) != 0;
}

/* Rounds since a neighbour said what it did: at least since it was heard, and at most
   since I sent what it echoes, however long the frame was under way. */
static uint16_t rounds_ago(const struct member *m, const struct port *port)
{
  const uint8_t behind = (uint8_t)(m->seq - port->head.echo);
  const uint16_t quiet = (uint16_t)(port->quiet + 1);
  return behind > quiet ? (uint16_t)(behind - 1) : quiet;
}

static struct added gather(const struct member *m, uint8_t ports)
{
  struct added s = {m->own_token, feet_of(m->own_feet), 1, 0, m->own_open};
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    uint16_t age = rounds_ago(m, &m->port[p]);
    if (m->rec & (uint8_t)~m->tree & BIT(p)) {
      if (age > s.age) /* it closes a loop: what hangs here is as old as its last word */
        s.age = age;
      continue;
    }
    if (!(ports & BIT(p)))
      continue;
    age = (uint16_t)(h->age + age);
    s.count = (uint16_t)(s.count + h->count);
    s.token += h->token;
    s.feet += feet_of(h->feet);
    if (age > s.age)
      s.age = age;
    if (h->flags & OPEN)
      s.open = 1;
  }
  if (s.count > MOST + 1)
    s.count = MOST + 1;
  if (s.age > FULL)
    s.age = FULL;
  return s;
}

/* Bits of the ports to which may be told what has come from all others. */
static uint8_t complete(uint8_t tree, uint8_t came)
{
  const uint8_t missing = tree & (uint8_t)~came;
  if (!missing)
    return tree;
  return missing & (uint8_t)(missing - 1) ? 0 : missing; /* all but one came */
}

static void settle(struct member *m)
{
  const uint8_t same = m->mark_root == m->root && m->mark_epoch == m->epoch &&
                       memcmp(m->mark_feet, m->feet, 3) == 0 &&
                       m->mark_count == m->count && m->mark_open == m->open;
  m->calm = m->known && same ? (m->calm == FULL ? FULL : (uint8_t)(m->calm + 1)) : 0;
  m->mark_root = m->known ? m->root : 0;
  m->mark_epoch = m->epoch;
  memcpy(m->mark_feet, m->feet, 3);
  m->mark_count = m->count;
  m->mark_open = m->open;
  m->steady = m->known && !m->open && m->age < FULL && m->calm >= m->age;
}

static void lead(struct member *m, uint8_t touching)
{
  if (!touching)
    m->incumbent = 0;
  m->leader = UNKNOWN;
  if (m->known) {
    m->leader = m->best & (INCUMBENT - 1);
    m->incumbent = m->leader == m->id;
  }
}

void sums_decide(struct member *m, uint8_t touching, uint8_t foot, uint8_t attached)
{
  uint8_t g_in = 0;
  own_share(m, touching, foot, attached);
  m->tree = m->f_in = 0;
  for (uint8_t p = 0; p < PORTS; ++p) {
    const struct head *h = &m->port[p].head;
    const uint8_t bit = BIT(p);
    if (!m->frozen || !(m->rec & bit) || !(p == m->parent || (m->rec_child & bit)))
      continue;
    m->tree |= bit;
    if ((h->flags & F) && h->root == m->root && h->epoch == m->epoch)
      m->f_in |= bit;
    if (h->flags & G)
      g_in |= bit;
  }
  m->v_in = m->f_in & m->has_value;
  const uint8_t clean = m->frozen && !m->dirty;
  m->f_out = clean ? complete(m->tree, m->f_in) : 0;
  m->v_out = m->f_out & complete(m->tree, m->v_in);
  choose(m);
  const struct added all = gather(m, m->tree);
  const uint8_t closed =
    clean && m->f_in == m->tree && all.token == 0 && all.count <= MOST;
  m->g |= closed;
  m->g_out = closed ? m->f_out & complete(m->tree, g_in) : 0;
  m->known = closed && g_in == m->tree && m->v_in == m->tree;
  m->count = m->known ? (uint8_t)all.count : 0;
  put_feet(m->feet, m->known ? all.feet : 0);
  m->age = m->known ? (uint8_t)all.age : 0;
  m->open = m->known ? all.open : 0;
  settle(m);
  lead(m, touching);
}

uint8_t member_head(const struct member *m, uint8_t p, struct head *head)
{
  const struct port *port = &m->port[p];
  const uint8_t bit = BIT(p);
  memset(head, 0, sizeof *head);
  if (!m->talks)
    return 0;
  head->flags = (uint8_t)((p == m->parent ? PAR : 0) | (m->dirty_out ? DIRTY : 0) |
                          (m->refused & bit ? REF : 0));
  if (port->peer != 0) {
    head->flags |= HEARD;
    head->echo = port->head.seq;
  }
  head->seq = m->seq;
  head->dist = m->dist;
  head->sender = m->id;
  head->root = m->root;
  head->epoch = m->epoch;
  head->join = m->join;
  if (!(m->f_out & bit))
    return 1;
  const struct added s = gather(m, m->tree & (uint8_t)~bit);
  head->flags |= (uint8_t)(F | (m->g_out & bit ? G : 0) | (s.open ? OPEN : 0));
  if ((m->v_out & bit) && !(m->seq & 1))
    head->flags |= SUM;
  head->count = (uint8_t)s.count;
  head->token = s.token;
  put_feet(head->feet, s.feet);
  head->age = (uint8_t)s.age;
  head->cand = m->best_from == p ? m->second : m->best;
  return 1;
}
