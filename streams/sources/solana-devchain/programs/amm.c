/**
 * A constant-product pool that speaks PumpSwap's `create_pool`, `buy` and `sell`: its instructions,
 * accounts, states, formulas and events, told by log and by a call to itself. It was written for the
 * simulated chain, and has nothing of PumpSwap's program.
 */
#include "events.h"
#include "tokens.h"

#define CREATE_POOL 0xbc4068cf8ed192e9UL
#define BUY 0xeaebda01123d0666UL
#define SELL 0xad837f01a485e633UL
#define CREATE_EVENT 0x74a776a0d20c31b1UL
#define BUY_EVENT 0x7777f52c1f52f467UL
#define SELL_EVENT 0x2adc03a50a372f3eUL
#define TRADE_EVENT_BYTES 360

/* Accounts of `create_pool`. */
enum {
  NEW_POOL, NEW_GLOBAL, NEW_CREATOR, NEW_BASE, NEW_QUOTE, NEW_LP_MINT, NEW_TOKENS_BASE, NEW_TOKENS_QUOTE,
  NEW_LP, NEW_VAULT_BASE, NEW_VAULT_QUOTE, NEW_SYSTEM, NEW_PROGRAM_2022, NEW_PROGRAM_BASE,
  NEW_PROGRAM_QUOTE, NEW_ASSOCIATED, NEW_EVENT_AUTHORITY, NEW_OWN_PROGRAM, NEW_ACCOUNTS
};

/* Accounts of `buy` and `sell`. */
enum {
  POOL, USER, GLOBAL, BASE, QUOTE, USER_BASE, USER_QUOTE, VAULT_BASE, VAULT_QUOTE, RECIPIENT,
  RECIPIENT_TOKENS, PROGRAM_BASE, PROGRAM_QUOTE, SYSTEM, ASSOCIATED, EVENT_AUTHORITY, OWN_PROGRAM,
  CREATOR_TOKENS, CREATOR_VAULT, ACCOUNTS
};

/* Places in the pool's state. */
#define POOL_TAG 0xbc6db111046d9af1UL
#define POOL_BUMP 8
#define POOL_INDEX 9
#define POOL_CREATOR 11
#define POOL_BASE 43
#define POOL_QUOTE 75
#define POOL_LP_MINT 107
#define POOL_VAULT_BASE 139
#define POOL_VAULT_QUOTE 171
#define POOL_LP_SUPPLY 203
#define POOL_COIN_CREATOR 211
#define POOL_BYTES 243
/* Places in the global state. */
#define GLOBAL_LP_FEE 40
#define GLOBAL_PROTOCOL_FEE 48
#define GLOBAL_RECIPIENT 57
#define GLOBAL_CREATOR_FEE 313
#define GLOBAL_BYTES 321

#define LP_DECIMALS 9
#define BASIS_POINTS 10000UL
/** Units of a pool's first liquidity that nobody gets. */
#define LOCKED 100

/* The venue's own numbers. */
#define ZERO_BASE 6001
#define ZERO_QUOTE 6002
#define TOO_LITTLE_LIQUIDITY 6003
#define EXCEEDED_SLIPPAGE 6004
#define WRONG_RECIPIENT 6013
#define MORE_THAN_RESERVES 6016

/** Who owns a pool's vaults: the pool, whose address follows from these. */
FUNCTION u64 derive_pool(Derived *derived, const Call *call, const Slice *facts, const u8 *pool) {
  Derived found = {.text = {WORD('p', 'o', 'o', 'l', 0, 0, 0, 0)},
                   .seeds = {{0, 0}, facts[0], facts[1], facts[2], facts[3]},
                   .count = 5};
  *derived = found;
  return derive(derived, call->program, pool);
}

FUNCTION u64 open_lp_mint(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  const u8 *mint = a[NEW_LP_MINT].key, *program = a[NEW_PROGRAM_2022].key;
  Derived derived = {
    .text = {WORD('p', 'o', 'o', 'l', '_', 'l', 'p', '_'), WORD('m', 'i', 'n', 't', 0, 0, 0, 0)},
    .seeds = {{0, 0}, {a[NEW_POOL].key, 32}},
    .count = 2};
  u64 problem = derive(&derived, call->program, mint);
  Opening opening = {
    a[NEW_SYSTEM].key, a[NEW_CREATOR].key, mint, program, MINT_BYTES, 0, &derived.signer};
  if (!problem) problem = open_account(given, &opening);
  return problem ? problem : make_mint(given, program, mint, a[NEW_POOL].key, LP_DECIMALS);
}

/** Opens what holds the pool's tokens, and the creator's account of liquidity. */
FUNCTION u64 open_holdings(const Given *given) {
  const Account *a = given->accounts;
  Associated one = {
    .program = a[NEW_ASSOCIATED].key, .system = a[NEW_SYSTEM].key, .payer = a[NEW_CREATOR].key};
  one.token_program = a[NEW_PROGRAM_2022].key;
  one.account = a[NEW_LP].key;
  one.holder = a[NEW_CREATOR].key;
  one.mint = a[NEW_LP_MINT].key;
  u64 problem = open_associated(given, &one);
  one.holder = a[NEW_POOL].key;
  for (u64 i = 0; i < 2 && !problem; i++) {
    one.token_program = a[NEW_PROGRAM_BASE + i].key;
    one.account = a[NEW_VAULT_BASE + i].key;
    one.mint = a[NEW_BASE + i].key;
    problem = open_associated(given, &one);
  }
  return problem;
}

/** Moves the creator's tokens into the vaults, and mints what they are worth in liquidity. */
FUNCTION u64 fill_pool(const Given *given, const Call *call, u64 liquidity, const Seeds *pool) {
  const Account *a = given->accounts;
  for (u64 i = 0; i < 2; i++) {
    u64 amount = READ(u64, call->data + 10 + 8 * i);
    Transfer in = {a[NEW_PROGRAM_BASE + i].key, &a[NEW_TOKENS_BASE + i], &a[NEW_BASE + i],
                   &a[NEW_VAULT_BASE + i],      a[NEW_CREATOR].key,      amount, 0};
    u64 problem = transfer_tokens(given, &in);
    if (problem) return problem;
  }
  Supply supply = {a[NEW_PROGRAM_2022].key, a[NEW_LP_MINT].key, a[NEW_LP].key, a[NEW_POOL].key,
                   liquidity - LOCKED, pool};
  return mint_tokens(given, &supply);
}

FUNCTION void write_pool(const Account *a, const Call *call, u64 liquidity, u64 bump) {
  u8 *pool = a[NEW_POOL].data;
  WRITE(u64, pool, POOL_TAG);
  pool[POOL_BUMP] = bump;
  WRITE(u16, pool + POOL_INDEX, READ(u16, call->data + 8));
  copy_key(pool + POOL_CREATOR, a[NEW_CREATOR].key);
  copy_key(pool + POOL_BASE, a[NEW_BASE].key);
  copy_key(pool + POOL_QUOTE, a[NEW_QUOTE].key);
  copy_key(pool + POOL_LP_MINT, a[NEW_LP_MINT].key);
  copy_key(pool + POOL_VAULT_BASE, a[NEW_VAULT_BASE].key);
  copy_key(pool + POOL_VAULT_QUOTE, a[NEW_VAULT_QUOTE].key);
  WRITE(u64, pool + POOL_LP_SUPPLY, liquidity);
  copy_key(pool + POOL_COIN_CREATOR, call->data + 26);
}

FUNCTION u64 tell_pool(const Given *given, const Call *call, u64 liquidity) {
  const Account *a = given->accounts;
  u64 clock[CLOCK_WORDS], base = READ(u64, call->data + 10), quote = READ(u64, call->data + 18);
  sol_get_clock_sysvar(clock);
  u8 bytes[344], *event = bytes + 8;
  WRITE(u64, event, CREATE_EVENT);
  WRITE(u64, event + 8, clock[CLOCK_TIME]);
  WRITE(u16, event + 16, READ(u16, call->data + 8));
  copy_key(event + 18, a[NEW_CREATOR].key);
  copy_key(event + 50, a[NEW_BASE].key);
  copy_key(event + 82, a[NEW_QUOTE].key);
  event[114] = a[NEW_BASE].data[MINT_DECIMALS];
  event[115] = a[NEW_QUOTE].data[MINT_DECIMALS];
  WRITE(u64, event + 116, base);
  WRITE(u64, event + 124, quote);
  WRITE(u64, event + 132, base);
  WRITE(u64, event + 140, quote);
  WRITE(u64, event + 148, LOCKED);
  WRITE(u64, event + 156, liquidity);
  WRITE(u64, event + 164, liquidity - LOCKED);
  event[172] = a[NEW_POOL].data[POOL_BUMP];
  copy_key(event + 173, a[NEW_POOL].key);
  copy_key(event + 205, a[NEW_LP_MINT].key);
  copy_key(event + 237, a[NEW_TOKENS_BASE].key);
  copy_key(event + 269, a[NEW_TOKENS_QUOTE].key);
  copy_key(event + 301, call->data + 26);
  return emit(given, call, a[NEW_EVENT_AUTHORITY].key, event, 333);
}

FUNCTION u64 create_pool(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  if (call->data_length < 58) return INVALID_DATA;
  if (given->count < NEW_ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[NEW_CREATOR].is_signer) return MISSING_SIGNATURE;
  u64 base = READ(u64, call->data + 10), quote = READ(u64, call->data + 18);
  if (base == 0 || quote == 0) return base == 0 ? ZERO_BASE : ZERO_QUOTE;
  u64 liquidity = root_of_product(base, quote);
  if (liquidity <= LOCKED) return TOO_LITTLE_LIQUIDITY;
  const u8 *key = a[NEW_POOL].key;
  Slice facts[4] = {
    {call->data + 8, 2}, {a[NEW_CREATOR].key, 32}, {a[NEW_BASE].key, 32}, {a[NEW_QUOTE].key, 32}};
  Derived pool;
  u64 problem = derive_pool(&pool, call, facts, key);
  Opening opening = {
    a[NEW_SYSTEM].key, a[NEW_CREATOR].key, key, call->program, POOL_BYTES, 0, &pool.signer};
  if (!problem) problem = open_account(given, &opening);
  if (!problem) problem = open_lp_mint(given, call);
  if (!problem) problem = open_holdings(given);
  if (!problem) problem = fill_pool(given, call, liquidity, &pool.signer);
  if (problem) return problem;
  write_pool(a, call, liquidity, pool.bump);
  return tell_pool(given, call, liquidity);
}

/** A trade; `quote` is without fees, which a buyer pays beside it and a seller of it. */
typedef struct {
  u64 base, quote, lp_fee, protocol_fee, creator_fee, limit;
  u64 user_base, user_quote, vault_base, vault_quote;
  int is_buy;
} Trade;

FUNCTION u64 fee_of(const u8 *global, u64 at, u64 quote) {
  return multiply_divide(quote, READ(u64, global + at), BASIS_POINTS, 1);
}

/** What a trade costs or gives, and its fees, all rounded against the user. */
FUNCTION u64 price(const Given *given, const Call *call, Trade *t) {
  const Account *a = given->accounts;
  t->base = READ(u64, call->data + 8);
  t->limit = READ(u64, call->data + 16);
  t->user_base = READ(u64, a[USER_BASE].data + TOKEN_AMOUNT);
  t->user_quote = READ(u64, a[USER_QUOTE].data + TOKEN_AMOUNT);
  t->vault_base = READ(u64, a[VAULT_BASE].data + TOKEN_AMOUNT);
  t->vault_quote = READ(u64, a[VAULT_QUOTE].data + TOKEN_AMOUNT);
  if (t->base == 0) return ZERO_BASE;
  if (t->is_buy && t->base >= t->vault_base) return MORE_THAN_RESERVES;
  t->quote = t->is_buy ? multiply_divide(t->vault_quote, t->base, t->vault_base - t->base, 1)
                       : multiply_divide(t->vault_quote, t->base, t->vault_base + t->base, 0);
  const u8 *global = a[GLOBAL].data;
  t->lp_fee = fee_of(global, GLOBAL_LP_FEE, t->quote);
  t->protocol_fee = fee_of(global, GLOBAL_PROTOCOL_FEE, t->quote);
  t->creator_fee = fee_of(global, GLOBAL_CREATOR_FEE, t->quote);
  u64 fees = t->lp_fee + t->protocol_fee + t->creator_fee;
  if (t->is_buy) return t->quote + fees > t->limit ? EXCEEDED_SLIPPAGE : SUCCESS;
  if (t->quote <= fees) return ZERO_QUOTE;
  return t->quote - fees < t->limit ? EXCEEDED_SLIPPAGE : SUCCESS;
}

/** Moves both tokens and the fees; the pool signs for what it gives. */
FUNCTION u64 pay(const Given *given, const Trade *t, const Seeds *pool) {
  const Account *a = given->accounts;
  const Account *from = &a[t->is_buy ? USER_QUOTE : VAULT_QUOTE];
  const u8 *payer = a[t->is_buy ? USER : POOL].key;
  const Seeds *signer = t->is_buy ? 0 : pool;
  Transfer base = {a[BASE].owner, &a[USER_BASE], &a[BASE], &a[VAULT_BASE], a[USER].key, t->base, 0};
  if (t->is_buy) {
    base.from = &a[VAULT_BASE];
    base.to = &a[USER_BASE];
    base.authority = a[POOL].key;
    base.seeds = pool;
  }
  u64 problem = transfer_tokens(given, &base);
  Transfer quote = {
    a[QUOTE].owner, from, &a[QUOTE], &a[VAULT_QUOTE], payer, t->quote + t->lp_fee, signer};
  if (!t->is_buy) {
    quote.to = &a[USER_QUOTE];
    quote.amount = t->quote - t->lp_fee - t->protocol_fee - t->creator_fee;
  }
  if (!problem) problem = transfer_tokens(given, &quote);
  quote.to = &a[RECIPIENT_TOKENS];
  quote.amount = t->protocol_fee;
  if (!problem) problem = transfer_tokens(given, &quote);
  quote.to = &a[CREATOR_TOKENS];
  quote.amount = t->creator_fee;
  return problem ? problem : transfer_tokens(given, &quote);
}

FUNCTION u64 tell(const Given *given, const Call *call, const Trade *t) {
  const Account *a = given->accounts;
  const u8 *global = a[GLOBAL].data;
  u64 clock[CLOCK_WORDS], others = t->protocol_fee + t->creator_fee;
  sol_get_clock_sysvar(clock);
  u64 with_lp = t->is_buy ? t->quote + t->lp_fee : t->quote - t->lp_fee;
  u64 all = t->is_buy ? with_lp + others : with_lp - others;
  u8 bytes[TRADE_EVENT_BYTES + 8], *event = bytes + 8;
  WRITE(u64, event, t->is_buy ? BUY_EVENT : SELL_EVENT);
  const u64 numbers[14] = {clock[CLOCK_TIME], t->base, t->limit, t->user_base, t->user_quote,
                           t->vault_base, t->vault_quote, t->quote, READ(u64, global + GLOBAL_LP_FEE),
                           t->lp_fee, READ(u64, global + GLOBAL_PROTOCOL_FEE), t->protocol_fee,
                           with_lp, all};
  for (u64 i = 0; i < 14; i++) WRITE(u64, event + 8 + 8 * i, numbers[i]);
  copy_key(event + 120, a[POOL].key);
  copy_key(event + 152, a[USER].key);
  copy_key(event + 184, a[USER_BASE].key);
  copy_key(event + 216, a[USER_QUOTE].key);
  copy_key(event + 248, a[RECIPIENT].key);
  copy_key(event + 280, a[RECIPIENT_TOKENS].key);
  copy_key(event + 312, a[POOL].data + POOL_COIN_CREATOR);
  WRITE(u64, event + 344, READ(u64, global + GLOBAL_CREATOR_FEE));
  WRITE(u64, event + 352, t->creator_fee);
  return emit(given, call, a[EVENT_AUTHORITY].key, event, TRADE_EVENT_BYTES);
}

/** The vaults are the pool's, fees go to whom the venue and the pool name. */
FUNCTION u64 check(const Given *given, const Call *call, Derived *pool) {
  const Account *a = given->accounts, *global = &a[GLOBAL];
  u8 *state = a[POOL].data;
  if (call->data_length < 24) return INVALID_DATA;
  if (given->count < ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[USER].is_signer) return MISSING_SIGNATURE;
  if (!is_state(&a[POOL], call, POOL_BYTES) || !is_state(global, call, GLOBAL_BYTES)) return INVALID_ACCOUNT;
  if (!is_same_key(a[VAULT_BASE].key, state + POOL_VAULT_BASE)) return INVALID_ACCOUNT;
  if (!is_same_key(a[VAULT_QUOTE].key, state + POOL_VAULT_QUOTE)) return INVALID_ACCOUNT;
  if (!is_same_key(a[BASE].key, state + POOL_BASE)) return INVALID_ACCOUNT;
  if (!is_same_key(a[QUOTE].key, state + POOL_QUOTE)) return INVALID_ACCOUNT;
  if (!is_same_key(a[RECIPIENT].key, global->data + GLOBAL_RECIPIENT)) return WRONG_RECIPIENT;
  Derived vault = {
    .text = {WORD('c', 'r', 'e', 'a', 't', 'o', 'r', '_'), WORD('v', 'a', 'u', 'l', 't', 0, 0, 0)},
    .seeds = {{0, 0}, {state + POOL_COIN_CREATOR, 32}},
    .count = 2};
  u64 problem = derive(&vault, call->program, a[CREATOR_VAULT].key);
  if (problem) return problem;
  Slice facts[4] = {
    {state + POOL_INDEX, 2}, {state + POOL_CREATOR, 32}, {state + POOL_BASE, 32}, {state + POOL_QUOTE, 32}};
  return derive_pool(pool, call, facts, a[POOL].key);
}

FUNCTION u64 trade_in_pool(const Given *given, const Call *call, int is_buy) {
  Derived pool;
  u64 problem = check(given, call, &pool);
  Trade trade;
  trade.is_buy = is_buy;
  if (!problem) problem = price(given, call, &trade);
  if (!problem) problem = pay(given, &trade, &pool.signer);
  return problem ? problem : tell(given, call, &trade);
}

u64 entrypoint(u8 *input) {
  Account accounts[MOST_ACCOUNTS];
  Call call;
  if (!read_input(input, accounts, &call)) return INVALID_ARGUMENT;
  if (call.data_length < 8) return INVALID_DATA;
  u64 tag = READ(u64, call.data);
  Given given = {accounts, call.account_count};
  if (tag == EVENT_CALL) return accept_event(&given, &call);
  if (tag == BUY || tag == SELL) return trade_in_pool(&given, &call, tag == BUY);
  return tag == CREATE_POOL ? create_pool(&given, &call) : INVALID_DATA;
}
