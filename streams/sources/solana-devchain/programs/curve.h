/** States of the bonding curve: places of pump.fun's accounts, and who signs for a curve. */
#ifndef CURVE_H
#define CURVE_H

#include "events.h"
#include "tokens.h"

/* Places in the curve's state. */
#define VIRTUAL_TOKENS 8
#define VIRTUAL_SOL 16
#define REAL_TOKENS 24
#define REAL_SOL 32
#define TOKEN_SUPPLY 40
#define IS_COMPLETE 48
#define CREATOR 49
#define CURVE_BYTES 81
/* Places in the global state. */
#define GLOBAL_RECIPIENT 41
#define GLOBAL_VIRTUAL_TOKENS 73
#define GLOBAL_VIRTUAL_SOL 81
#define GLOBAL_REAL_TOKENS 89
#define GLOBAL_SUPPLY 97
#define GLOBAL_FEE 105
#define GLOBAL_WITHDRAWER 113
#define GLOBAL_MIGRATION_FEE 146
#define GLOBAL_CREATOR_FEE 154
#define GLOBAL_BYTES 162

/** The address of a mint's curve. */
FUNCTION u64 derive_curve(Derived *derived, const Call *call, const u8 *mint, const u8 *curve) {
  Derived found = {
    .text = {WORD('b', 'o', 'n', 'd', 'i', 'n', 'g', '-'), WORD('c', 'u', 'r', 'v', 'e', 0, 0, 0)},
    .seeds = {{0, 0}, {mint, 32}},
    .count = 2};
  *derived = found;
  return derive(derived, call->program, curve);
}

#endif
