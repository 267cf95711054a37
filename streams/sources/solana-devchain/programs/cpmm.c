/**
 * A constant-product pool that speaks Raydium CPMM's swaps: its instructions, accounts, pool state,
 * formula and event. It was written for the simulated chain, and has nothing of Raydium's program.
 */
#include "svm.h"

#define SWAP_BASE_INPUT 0xde331ec4da5abe8fUL
#define SWAP_BASE_OUTPUT 0xadb44aa35662d937UL
#define SWAP_EVENT 0xe2710826e8cdc640UL

/* Accounts of both swaps. */
enum { PAYER, AUTHORITY, CONFIG, POOL, USER_IN, USER_OUT, VAULT_IN, VAULT_OUT, PROGRAM_IN, PROGRAM_OUT, MINT_IN, MINT_OUT, ACCOUNTS };

/* Places in the pool's state. */
#define POOL_CONFIG 8
#define POOL_VAULT_0 72
#define POOL_VAULT_1 104
#define POOL_BUMP 328
#define POOL_STATUS 329
#define POOL_PROTOCOL_FEES 341
#define POOL_FUND_FEES 357
#define POOL_OPEN_TIME 373
#define POOL_BYTES 637
/* Places in the configuration. */
#define CONFIG_TRADE_RATE 12
#define CONFIG_PROTOCOL_RATE 20
#define CONFIG_FUND_RATE 28
#define CONFIG_BYTES 236

#define TOKEN_AMOUNT 64
#define FEE_UNIT 1000000UL
#define SWAP_IS_OFF 4

/* The venue's own numbers. */
#define NOT_OPEN 6000
#define ZERO_TRADE 6004
#define EXCEEDED_SLIPPAGE 6005
#define NO_RESERVES 6008

typedef struct {
  u64 in, out;
} Reserves;

/** What a vault holds without the fees that the pool owes. */
INLINE u64 reserve_of(const Account *pool, const Account *vault, u64 index) {
  u64 owed = READ(u64, pool->data + POOL_PROTOCOL_FEES + 8 * index) + READ(u64, pool->data + POOL_FUND_FEES + 8 * index);
  u64 held = READ(u64, vault->data + TOKEN_AMOUNT);
  return held > owed ? held - owed : 0;
}

typedef struct {
  Reserves before;
  u64 sent, got, fee;
  int is_base_input;
} Swap;

INLINE void log_swap(const Account *a, const Swap *swap) {
  u8 event[176];
  WRITE(u64, event, SWAP_EVENT);
  copy_key(event + 8, a[POOL].key);
  WRITE(u64, event + 40, swap->before.in);
  WRITE(u64, event + 48, swap->before.out);
  WRITE(u64, event + 56, swap->sent);
  WRITE(u64, event + 64, swap->got);
  WRITE(u64, event + 72, 0);
  WRITE(u64, event + 80, 0);
  event[88] = swap->is_base_input;
  copy_key(event + 89, a[MINT_IN].key);
  copy_key(event + 121, a[MINT_OUT].key);
  WRITE(u64, event + 153, swap->fee);
  WRITE(u64, event + 161, 0);
  event[169] = 0;
  Slice slice = {event, 170};
  sol_log_data(&slice, 1);
}

/** The formula of the venue without creator's fees: both are rounded against the user. */
INLINE u64 input_of(Reserves r, u64 out, u64 rate) {
  u64 net = multiply_divide(r.in, out, r.out - out, 1);
  return multiply_divide(net, FEE_UNIT, FEE_UNIT - rate, 1);
}

/** Takes the fee's shares that the pool owes out of its reserves. */
INLINE void owe(const Account *a, u64 index, u64 fee) {
  const u8 *config = a[CONFIG].data;
  u64 protocol = multiply_divide(fee, READ(u64, config + CONFIG_PROTOCOL_RATE), FEE_UNIT, 0);
  u64 fund = multiply_divide(fee, READ(u64, config + CONFIG_FUND_RATE), FEE_UNIT, 0);
  u8 *to_protocol = a[POOL].data + POOL_PROTOCOL_FEES + 8 * index;
  u8 *to_fund = a[POOL].data + POOL_FUND_FEES + 8 * index;
  WRITE(u64, to_protocol, READ(u64, to_protocol) + protocol);
  WRITE(u64, to_fund, READ(u64, to_fund) + fund);
}

/** Moves both tokens, the pool's with the signature of the program's own authority. */
INLINE u64 pay(const Given *given, const Swap *swap) {
  const Account *a = given->accounts;
  Transfer in = {
    a[PROGRAM_IN].key, &a[USER_IN], &a[MINT_IN], &a[VAULT_IN], a[PAYER].key, swap->sent, 0};
  u64 problem = transfer_tokens(given, &in);
  if (problem) return problem;
  // "vault_and_lp_mint_auth_seed"
  u64 seed[4] = {0x6e615f746c756176UL, 0x6e696d5f706c5f64UL, 0x735f687475615f74UL, 0x646565UL};
  u8 bump = a[POOL].data[POOL_BUMP];
  Slice slices[2] = {{(const u8 *)seed, 27}, {&bump, 1}};
  Seeds seeds = {slices, 2};
  Transfer out = {a[PROGRAM_OUT].key, &a[VAULT_OUT],     &a[MINT_OUT], &a[USER_OUT],
                  a[AUTHORITY].key,   swap->got, &seeds};
  return transfer_tokens(given, &out);
}

INLINE u64 settle(const Given *given, const Call *call, int is_base_input) {
  const Account *a = given->accounts;
  u64 amount = READ(u64, call->data + 8), limit = READ(u64, call->data + 16);
  const u8 *pool = a[POOL].data;
  u64 in = is_same_key(a[VAULT_IN].key, pool + POOL_VAULT_0) ? 0 : 1;
  if (!is_same_key(a[VAULT_IN].key, pool + POOL_VAULT_0 + 32 * in)) return INVALID_ACCOUNT;
  if (!is_same_key(a[VAULT_OUT].key, pool + POOL_VAULT_1 - 32 * in)) return INVALID_ACCOUNT;
  u64 rate = READ(u64, a[CONFIG].data + CONFIG_TRADE_RATE);
  Reserves r = {
    reserve_of(&a[POOL], &a[VAULT_IN], in), reserve_of(&a[POOL], &a[VAULT_OUT], 1 - in)};
  if (r.in == 0 || r.out == 0 || (!is_base_input && amount >= r.out)) return NO_RESERVES;
  Swap swap = {r, amount, amount, 0, is_base_input};
  if (!is_base_input) swap.sent = input_of(r, amount, rate);
  swap.fee = multiply_divide(swap.sent, rate, FEE_UNIT, 1);
  u64 net = swap.sent - swap.fee;
  if (is_base_input) swap.got = multiply_divide(r.out, net, r.in + net, 0);
  if (swap.sent == 0 || swap.got == 0) return ZERO_TRADE;
  if (is_base_input ? swap.got < limit : swap.sent > limit) return EXCEEDED_SLIPPAGE;
  owe(a, in, swap.fee);
  log_swap(a, &swap);
  return pay(given, &swap);
}

u64 entrypoint(u8 *input) {
  Account accounts[MOST_ACCOUNTS];
  Call call;
  if (!read_input(input, accounts, &call)) return INVALID_ARGUMENT;
  if (call.data_length < 24) return INVALID_DATA;
  if (call.account_count < ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  u64 tag = READ(u64, call.data);
  if (tag != SWAP_BASE_INPUT && tag != SWAP_BASE_OUTPUT) return INVALID_DATA;
  Account *pool = &accounts[POOL], *config = &accounts[CONFIG];
  if (!accounts[PAYER].is_signer) return MISSING_SIGNATURE;
  int is_ours = is_same_key(pool->owner, call.program) && is_same_key(config->owner, call.program);
  if (!is_ours || pool->data_length < POOL_BYTES || config->data_length < CONFIG_BYTES) return INVALID_ACCOUNT;
  if (!is_same_key(config->key, pool->data + POOL_CONFIG)) return INVALID_ACCOUNT;
  u64 clock[CLOCK_WORDS];
  sol_get_clock_sysvar(clock);
  if ((pool->data[POOL_STATUS] & SWAP_IS_OFF) || clock[CLOCK_TIME] < READ(u64, pool->data + POOL_OPEN_TIME)) return NOT_OPEN;
  Given given = {accounts, call.account_count};
  return settle(&given, &call, tag == SWAP_BASE_INPUT);
}
