/**
 * Pools that are created, and liquidity that comes and goes: Raydium CPMM's `initialize`, `deposit`
 * and `withdraw` with their accounts, formulas and `LpChangeEvent`.
 */
#ifndef LIQUIDITY_H
#define LIQUIDITY_H

#include "pool.h"

#define LP_CHANGE_EVENT 0x3c75da39c9cda379UL
#define POOL_TAG 0x46dec3d7f5e3edf7UL
#define OBSERVATION_TAG 0x84a5098135c5ae7aUL
#define OBSERVATION_POOL 11
#define OBSERVATION_BYTES 4075
#define LP_DECIMALS 9
/** Units of a pool's first liquidity that nobody gets. */
#define LOCKED 100

/* Accounts of `initialize`. */
enum {
  NEW_CREATOR, NEW_CONFIG, NEW_AUTHORITY, NEW_POOL, NEW_MINT_0, NEW_MINT_1, NEW_LP_MINT, NEW_TOKENS_0,
  NEW_TOKENS_1, NEW_LP, NEW_VAULT_0, NEW_VAULT_1, NEW_FEE, NEW_OBSERVATION, NEW_TOKEN, NEW_PROGRAM_0,
  NEW_PROGRAM_1, NEW_ASSOCIATED, NEW_SYSTEM, NEW_RENT, NEW_ACCOUNTS
};

/* Accounts of `deposit` and `withdraw`, which lists one more. */
enum {
  LP_OWNER, LP_AUTHORITY, LP_POOL, LP_TOKENS, LP_USER_0, LP_USER_1, LP_VAULT_0, LP_VAULT_1, LP_PROGRAM,
  LP_PROGRAM_2022, LP_MINT_0, LP_MINT_1, LP_MINT, LP_ACCOUNTS
};

INLINE int is_before(const u8 *a, const u8 *b) {
  for (int i = 0; i < 32; i++)
    if (a[i] != b[i]) return a[i] < b[i];
  return 0;
}

/** Opens an account that follows from a text and the pool; `mint` is a third seed where it is given. */
FUNCTION u64 open_of_pool(
  const Given *given, const Call *call, Derived *derived, Opening *opening, const u8 *mint) {
  Slice pool = {given->accounts[NEW_POOL].key, 32}, third = {mint, 32};
  derived->seeds[1] = pool;
  derived->seeds[2] = third;
  derived->count = mint ? 3 : 2;
  u64 problem = derive(derived, call->program, opening->key);
  if (problem) return problem;
  opening->system = given->accounts[NEW_SYSTEM].key;
  opening->payer = given->accounts[NEW_CREATOR].key;
  opening->seeds = &derived->signer;
  return open_account(given, opening);
}

/** Opens the vault of the pool's first or second token. */
FUNCTION u64 open_vault(const Given *given, const Call *call, u64 i) {
  const Account *a = given->accounts;
  Derived derived = {
    .text = {WORD('p', 'o', 'o', 'l', '_', 'v', 'a', 'u'), WORD('l', 't', 0, 0, 0, 0, 0, 0)}};
  const u8 *vault = a[NEW_VAULT_0 + i].key, *mint = a[NEW_MINT_0 + i].key;
  Opening opening = {.key = vault, .owner = a[NEW_PROGRAM_0 + i].key, .bytes = TOKEN_BYTES};
  u64 problem = open_of_pool(given, call, &derived, &opening, mint);
  return problem ? problem : make_tokens(given, opening.owner, vault, mint, a[NEW_AUTHORITY].key);
}

/** Opens the mint of liquidity, and the creator's account of it. */
FUNCTION u64 open_liquidity(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  Derived derived = {
    .text = {WORD('p', 'o', 'o', 'l', '_', 'l', 'p', '_'), WORD('m', 'i', 'n', 't', 0, 0, 0, 0)}};
  const u8 *mint = a[NEW_LP_MINT].key, *program = a[NEW_TOKEN].key;
  Opening opening = {.key = mint, .owner = program, .bytes = MINT_BYTES};
  u64 problem = open_of_pool(given, call, &derived, &opening, 0);
  if (!problem) problem = make_mint(given, program, mint, a[NEW_AUTHORITY].key, LP_DECIMALS);
  if (problem) return problem;
  const u8 *creator = a[NEW_CREATOR].key;
  Associated associated = {
    a[NEW_ASSOCIATED].key, a[NEW_SYSTEM].key, program, creator, a[NEW_LP].key, creator, mint, 0};
  return open_associated(given, &associated);
}

/** Opens the pool's own account, and the one in which the venue notes prices; here it notes none. */
FUNCTION u64 open_states(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  Derived pool = {.text = {WORD('p', 'o', 'o', 'l', 0, 0, 0, 0)}, .count = 4};
  for (int i = 0; i < 3; i++) {
    Slice seed = {a[i == 0 ? NEW_CONFIG : NEW_MINT_0 + i - 1].key, 32};
    pool.seeds[1 + i] = seed;
  }
  u64 problem = derive(&pool, call->program, a[NEW_POOL].key);
  if (problem) return problem;
  Opening opening = {a[NEW_SYSTEM].key, a[NEW_CREATOR].key, a[NEW_POOL].key, call->program,
                     POOL_BYTES,        0,                  &pool.signer};
  problem = open_account(given, &opening);
  if (problem) return problem;
  Derived seen = {
    .text = {WORD('o', 'b', 's', 'e', 'r', 'v', 'a', 't'), WORD('i', 'o', 'n', 0, 0, 0, 0, 0)}};
  opening.key = a[NEW_OBSERVATION].key;
  opening.bytes = OBSERVATION_BYTES;
  problem = open_of_pool(given, call, &seen, &opening, 0);
  if (problem) return problem;
  WRITE(u64, a[NEW_OBSERVATION].data, OBSERVATION_TAG);
  copy_key(a[NEW_OBSERVATION].data + OBSERVATION_POOL, a[NEW_POOL].key);
  return SUCCESS;
}

/** Writes the state of a pool that begins. */
FUNCTION void write_pool(const Account *a, u64 liquidity, u64 open_time, u64 bump) {
  u8 *pool = a[NEW_POOL].data;
  WRITE(u64, pool, POOL_TAG);
  copy_key(pool + POOL_CONFIG, a[NEW_CONFIG].key);
  copy_key(pool + POOL_CREATOR, a[NEW_CREATOR].key);
  copy_key(pool + POOL_LP_MINT, a[NEW_LP_MINT].key);
  copy_key(pool + POOL_OBSERVATION, a[NEW_OBSERVATION].key);
  for (u64 i = 0; i < 2; i++) {
    copy_key(pool + POOL_VAULT_0 + 32 * i, a[NEW_VAULT_0 + i].key);
    copy_key(pool + POOL_MINT_0 + 32 * i, a[NEW_MINT_0 + i].key);
    copy_key(pool + POOL_PROGRAM_0 + 32 * i, a[NEW_PROGRAM_0 + i].key);
    pool[POOL_DECIMALS + i] = a[NEW_MINT_0 + i].data[MINT_DECIMALS];
  }
  pool[POOL_BUMP] = bump;
  pool[POOL_LP_DECIMALS] = LP_DECIMALS;
  WRITE(u64, pool + POOL_LP_SUPPLY, liquidity);
  WRITE(u64, pool + POOL_OPEN_TIME, open_time);
}

/** Takes what a pool costs, which an account of wrapped lamports gets. */
FUNCTION u64 pay_pool_fee(const Given *given) {
  const Account *a = given->accounts;
  u64 fee = READ(u64, a[NEW_CONFIG].data + CONFIG_POOL_FEE);
  if (fee == 0) return SUCCESS;
  Payment payment = {a[NEW_SYSTEM].key, a[NEW_CREATOR].key, a[NEW_FEE].key, fee, 0, 0};
  u64 problem = pay_lamports(given, &payment);
  return problem ? problem : sync_native(given, a[NEW_TOKEN].key, a[NEW_FEE].key);
}

/** Moves the creator's tokens into the vaults. */
FUNCTION u64 fill_vaults(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  for (u64 i = 0; i < 2; i++) {
    Transfer in = {a[NEW_PROGRAM_0 + i].key, &a[NEW_TOKENS_0 + i], &a[NEW_MINT_0 + i],
                   &a[NEW_VAULT_0 + i],      a[NEW_CREATOR].key,   READ(u64, call->data + 8 + 8 * i), 0};
    u64 problem = transfer_tokens(given, &in);
    if (problem) return problem;
  }
  return SUCCESS;
}

FUNCTION u64 initialize(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  if (call->data_length < 32) return INVALID_DATA;
  if (given->count < NEW_ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[NEW_CREATOR].is_signer) return MISSING_SIGNATURE;
  const Account *config = &a[NEW_CONFIG];
  if (!is_state(config, call, CONFIG_BYTES)) return INVALID_ACCOUNT;
  if (!is_before(a[NEW_MINT_0].key, a[NEW_MINT_1].key)) return INVALID_ACCOUNT;
  if (config->data[CONFIG_IS_CLOSED]) return NOT_APPROVED;
  Derived authority = AUTHORITY_OF;
  u64 problem = derive(&authority, call->program, a[NEW_AUTHORITY].key);
  if (!problem) problem = open_states(given, call);
  for (u64 i = 0; i < 2 && !problem; i++) problem = open_vault(given, call, i);
  if (!problem) problem = open_liquidity(given, call);
  if (!problem) problem = fill_vaults(given, call);
  if (problem) return problem;
  u64 liquidity = root_of_product(READ(u64, call->data + 8), READ(u64, call->data + 16));
  if (liquidity <= LOCKED) return TOO_LITTLE_LIQUIDITY;
  Supply supply = {a[NEW_TOKEN].key, a[NEW_LP_MINT].key, a[NEW_LP].key, a[NEW_AUTHORITY].key,
                   liquidity - LOCKED, &authority.signer};
  problem = mint_tokens(given, &supply);
  if (!problem) problem = pay_pool_fee(given);
  u64 clock[CLOCK_WORDS], open_time = READ(u64, call->data + 24);
  sol_get_clock_sysvar(clock);
  if (open_time <= clock[CLOCK_TIME]) open_time = clock[CLOCK_TIME] + 1;
  if (!problem) write_pool(a, liquidity, open_time, authority.bump);
  return problem;
}

/** Liquidity that is added or taken, and the units of both tokens that it is worth. */
typedef struct {
  u64 liquidity;
  u64 before[2];
  u64 amounts[2];
  int is_deposit;
} Change;

FUNCTION void log_change(const Account *pool, const Change *change) {
  u8 event[104];
  WRITE(u64, event, LP_CHANGE_EVENT);
  copy_key(event + 8, pool->key);
  WRITE(u64, event + 40, READ(u64, pool->data + POOL_LP_SUPPLY));
  for (u64 i = 0; i < 2; i++) {
    WRITE(u64, event + 48 + 8 * i, change->before[i]);
    WRITE(u64, event + 64 + 8 * i, change->amounts[i]);
    WRITE(u64, event + 80 + 8 * i, 0);
  }
  event[96] = change->is_deposit ? 0 : 1;
  Slice slice = {event, 97};
  sol_log_data(&slice, 1);
}

/** What liquidity is worth, rounded against its owner. */
FUNCTION u64 price_change(const Given *given, const Call *call, Change *change) {
  const Account *a = given->accounts, *pool = &a[LP_POOL];
  u64 supply = READ(u64, pool->data + POOL_LP_SUPPLY);
  for (u64 i = 0; i < 2; i++) {
    change->before[i] = reserve_of(pool, &a[LP_VAULT_0 + i], i);
    u64 worth = multiply_divide(change->liquidity, change->before[i], supply, 0);
    if (worth == 0) return ZERO_TRADE;
    if (change->is_deposit) worth = multiply_divide(change->liquidity, change->before[i], supply, 1);
    change->amounts[i] = worth;
  }
  log_change(pool, change);
  for (u64 i = 0; i < 2; i++) {
    u64 limit = READ(u64, call->data + 16 + 8 * i);
    int is_over = change->is_deposit ? change->amounts[i] > limit : change->amounts[i] < limit;
    if (is_over) return EXCEEDED_SLIPPAGE;
  }
  return SUCCESS;
}

/** Moves both tokens between the owner and the vaults, for which the authority signs. */
FUNCTION u64 move_change(const Given *given, const Change *change, const Seeds *authority) {
  const Account *a = given->accounts;
  for (u64 i = 0; i < 2; i++) {
    const Account *user = &a[LP_USER_0 + i], *vault = &a[LP_VAULT_0 + i];
    Transfer transfer = {a[LP_MINT_0 + i].owner, user, &a[LP_MINT_0 + i], vault, a[LP_OWNER].key,
                         change->amounts[i],     0};
    if (!change->is_deposit) {
      transfer.from = vault;
      transfer.to = user;
      transfer.authority = a[LP_AUTHORITY].key;
      transfer.seeds = authority;
    }
    u64 problem = transfer_tokens(given, &transfer);
    if (problem) return problem;
  }
  return SUCCESS;
}

FUNCTION u64 check_change(const Given *given, const Call *call, int is_deposit) {
  const Account *a = given->accounts, *pool = &a[LP_POOL];
  if (call->data_length < 32) return INVALID_DATA;
  if (given->count < LP_ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[LP_OWNER].is_signer) return MISSING_SIGNATURE;
  if (!is_state(pool, call, POOL_BYTES)) return INVALID_ACCOUNT;
  for (u64 i = 0; i < 2; i++) {
    if (!is_same_key(a[LP_VAULT_0 + i].key, pool->data + POOL_VAULT_0 + 32 * i)) return INVALID_ACCOUNT;
    if (!is_same_key(a[LP_MINT_0 + i].key, pool->data + POOL_MINT_0 + 32 * i)) return INVALID_ACCOUNT;
  }
  if (!is_same_key(a[LP_MINT].key, pool->data + POOL_LP_MINT)) return WRONG_LP_MINT;
  if (pool->data[POOL_STATUS] & (is_deposit ? DEPOSIT_IS_OFF : WITHDRAW_IS_OFF)) return NOT_APPROVED;
  return READ(u64, call->data + 8) == 0 ? INVALID_DATA : SUCCESS;
}

/** `deposit` and `withdraw`. */
FUNCTION u64 change_liquidity(const Given *given, const Call *call, int is_deposit) {
  const Account *a = given->accounts;
  u64 problem = check_change(given, call, is_deposit);
  if (problem) return problem;
  Change change = {.liquidity = READ(u64, call->data + 8), .is_deposit = is_deposit};
  problem = price_change(given, call, &change);
  Derived authority = AUTHORITY_OF;
  if (!problem) problem = derive(&authority, call->program, a[LP_AUTHORITY].key);
  Supply supply = {
    a[LP_MINT].owner, a[LP_MINT].key, a[LP_TOKENS].key, a[LP_OWNER].key, change.liquidity, 0};
  if (!problem && !is_deposit) problem = burn_tokens(given, &supply);
  if (!problem) problem = move_change(given, &change, &authority.signer);
  if (problem) return problem;
  u8 *total = a[LP_POOL].data + POOL_LP_SUPPLY;
  WRITE(u64, total, is_deposit ? READ(u64, total) + change.liquidity : READ(u64, total) - change.liquidity);
  supply.authority = a[LP_AUTHORITY].key;
  supply.seeds = &authority.signer;
  return is_deposit ? mint_tokens(given, &supply) : SUCCESS;
}

#endif
