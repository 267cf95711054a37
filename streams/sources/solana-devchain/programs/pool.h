/** States of the constant-product pool: places of Raydium CPMM's accounts, and what they mean. */
#ifndef POOL_H
#define POOL_H

#include "tokens.h"

/* Places in the pool's state. */
#define POOL_CONFIG 8
#define POOL_CREATOR 40
#define POOL_VAULT_0 72
#define POOL_LP_MINT 136
#define POOL_MINT_0 168
#define POOL_PROGRAM_0 232
#define POOL_OBSERVATION 296
#define POOL_BUMP 328
#define POOL_STATUS 329
#define POOL_LP_DECIMALS 330
#define POOL_DECIMALS 331
#define POOL_LP_SUPPLY 333
#define POOL_PROTOCOL_FEES 341
#define POOL_FUND_FEES 357
#define POOL_OPEN_TIME 373
#define POOL_BYTES 637
/* Places in the configuration. */
#define CONFIG_IS_CLOSED 9
#define CONFIG_TRADE_RATE 12
#define CONFIG_PROTOCOL_RATE 20
#define CONFIG_FUND_RATE 28
#define CONFIG_POOL_FEE 36
#define CONFIG_BYTES 236

/* Bits of the status. */
#define DEPOSIT_IS_OFF 1
#define WITHDRAW_IS_OFF 2
#define SWAP_IS_OFF 4

/* The venue's own numbers. */
#define NOT_APPROVED 6000
#define WRONG_LP_MINT 6004
#define EXCEEDED_SLIPPAGE 6005
#define ZERO_TRADE 6006
#define WRONG_VAULT 6008
#define TOO_LITTLE_LIQUIDITY 6009

/** Who owns vaults and mints liquidity. */
#define AUTHORITY_OF                                                                                 \
  {.text = {WORD('v', 'a', 'u', 'l', 't', '_', 'a', 'n'), WORD('d', '_', 'l', 'p', '_', 'm', 'i', 'n'), \
            WORD('t', '_', 'a', 'u', 't', 'h', '_', 's'), WORD('e', 'e', 'd', 0, 0, 0, 0, 0)},        \
   .count = 1}

/** What a vault holds without the fees that the pool owes. */
INLINE u64 reserve_of(const Account *pool, const Account *vault, u64 index) {
  const u8 *fees = pool->data + 8 * index;
  u64 owed = READ(u64, fees + POOL_PROTOCOL_FEES) + READ(u64, fees + POOL_FUND_FEES);
  u64 held = READ(u64, vault->data + TOKEN_AMOUNT);
  return held > owed ? held - owed : 0;
}

#endif
