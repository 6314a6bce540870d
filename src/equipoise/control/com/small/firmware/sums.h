#ifndef SUMS_H
#define SUMS_H

#include "member.h"

/* Sum of the words of all links that are written down, each end with its own sign. */
uint32_t link_token(const struct member *m);

/* Steps 7 to 9 of a round: what is behind each connector, what is known, who leads. */
void sums_decide(struct member *m, uint8_t touching, uint8_t foot, uint8_t attached);

#endif
