/**
 * A constant-product pool that speaks Raydium CPMM's swaps and liquidity: its instructions, accounts,
 * pool state, formulas and events. It was written for the simulated chain, and has nothing of
 * Raydium's program.
 */
#include "liquidity.h"

#define INITIALIZE 0xed9b980d1f6dafafUL
#define DEPOSIT 0xb6f2e15289c623f2UL
#define WITHDRAW 0x22a16d949c4612b7UL
#define SWAP_BASE_INPUT 0xde331ec4da5abe8fUL
#define SWAP_BASE_OUTPUT 0xadb44aa35662d937UL
#define SWAP_EVENT 0xe2710826e8cdc640UL

/* Accounts of both swaps. */
enum {
  PAYER, AUTHORITY, CONFIG, POOL, USER_IN, USER_OUT, VAULT_IN, VAULT_OUT, PROGRAM_IN, PROGRAM_OUT,
  MINT_IN, MINT_OUT, ACCOUNTS
};

#define FEE_UNIT 1000000UL

typedef struct {
  u64 in, out;
} Reserves;

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
INLINE u64 pay(const Given *given, const Call *call, const Swap *swap) {
  const Account *a = given->accounts;
  Transfer in = {
    a[MINT_IN].owner, &a[USER_IN], &a[MINT_IN], &a[VAULT_IN], a[PAYER].key, swap->sent, 0};
  u64 problem = transfer_tokens(given, &in);
  if (problem) return problem;
  Derived authority = AUTHORITY_OF;
  problem = derive(&authority, call->program, a[AUTHORITY].key);
  if (problem) return problem;
  Transfer out = {a[MINT_OUT].owner, &a[VAULT_OUT], &a[MINT_OUT], &a[USER_OUT],
                  a[AUTHORITY].key,   swap->got, &authority.signer};
  return transfer_tokens(given, &out);
}

INLINE u64 settle(const Given *given, const Call *call, int is_base_input) {
  const Account *a = given->accounts;
  u64 amount = READ(u64, call->data + 8), limit = READ(u64, call->data + 16);
  const u8 *pool = a[POOL].data;
  u64 in = is_same_key(a[VAULT_IN].key, pool + POOL_VAULT_0) ? 0 : 1;
  if (!is_same_key(a[VAULT_IN].key, pool + POOL_VAULT_0 + 32 * in)) return INVALID_ACCOUNT;
  if (!is_same_key(a[VAULT_OUT].key, pool + POOL_VAULT_0 + 32 - 32 * in)) return INVALID_ACCOUNT;
  if (!is_same_key(a[MINT_IN].key, pool + POOL_MINT_0 + 32 * in)) return INVALID_ACCOUNT;
  if (!is_same_key(a[MINT_OUT].key, pool + POOL_MINT_0 + 32 - 32 * in)) return INVALID_ACCOUNT;
  u64 rate = READ(u64, a[CONFIG].data + CONFIG_TRADE_RATE);
  Reserves r = {
    reserve_of(&a[POOL], &a[VAULT_IN], in), reserve_of(&a[POOL], &a[VAULT_OUT], 1 - in)};
  if (r.in == 0 || r.out == 0 || (!is_base_input && amount >= r.out)) return WRONG_VAULT;
  Swap swap = {r, amount, amount, 0, is_base_input};
  if (!is_base_input) swap.sent = input_of(r, amount, rate);
  swap.fee = multiply_divide(swap.sent, rate, FEE_UNIT, 1);
  u64 net = swap.sent - swap.fee;
  if (is_base_input) swap.got = multiply_divide(r.out, net, r.in + net, 0);
  if (swap.sent == 0 || swap.got == 0) return ZERO_TRADE;
  if (is_base_input ? swap.got < limit : swap.sent > limit) return EXCEEDED_SLIPPAGE;
  owe(a, in, swap.fee);
  log_swap(a, &swap);
  return pay(given, call, &swap);
}

FUNCTION u64 swap(const Given *given, const Call *call, int is_base_input) {
  const Account *a = given->accounts, *pool = &a[POOL], *config = &a[CONFIG];
  if (call->data_length < 24) return INVALID_DATA;
  if (given->count < ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[PAYER].is_signer) return MISSING_SIGNATURE;
  if (!is_state(pool, call, POOL_BYTES) || !is_state(config, call, CONFIG_BYTES)) return INVALID_ACCOUNT;
  if (!is_same_key(config->key, pool->data + POOL_CONFIG)) return INVALID_ACCOUNT;
  u64 clock[CLOCK_WORDS];
  sol_get_clock_sysvar(clock);
  int is_early = clock[CLOCK_TIME] < READ(u64, pool->data + POOL_OPEN_TIME);
  if (is_early || (pool->data[POOL_STATUS] & SWAP_IS_OFF)) return NOT_APPROVED;
  return settle(given, call, is_base_input);
}

u64 entrypoint(u8 *input) {
  Account accounts[MOST_ACCOUNTS];
  Call call;
  if (!read_input(input, accounts, &call)) return INVALID_ARGUMENT;
  Given given = {accounts, call.account_count};
  if (call.data_length < 8) return INVALID_DATA;
  u64 tag = READ(u64, call.data);
  if (tag == SWAP_BASE_INPUT || tag == SWAP_BASE_OUTPUT) return swap(&given, &call, tag == SWAP_BASE_INPUT);
  if (tag == DEPOSIT || tag == WITHDRAW) return change_liquidity(&given, &call, tag == DEPOSIT);
  return tag == INITIALIZE ? initialize(&given, &call) : INVALID_DATA;
}
