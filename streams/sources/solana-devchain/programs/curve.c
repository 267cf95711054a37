/**
 * A bonding curve that speaks pump.fun's `create_v2`, `buy`, `buy_exact_sol_in`, `sell` and `migrate`:
 * its instructions, accounts, states, formulas and events, told by log and by a call to itself. It was
 * written for the simulated chain, and has nothing of pump.fun's program.
 */
#include "graduation.h"
#include "launch.h"

#define CREATE 0xb4318b5fec4c90d6UL
#define MIGRATE 0x1ea29eec92e7ea9bUL
#define BUY 0xeaebda01123d0666UL
#define SELL 0xad837f01a485e633UL
#define BUY_EXACT_SOL_IN 0x5fcddf9e0874fc38UL
#define TRADE_EVENT 0xee61e64ed37fdbbdUL
#define COMPLETE_EVENT 0x08982ed49c61725fUL

/* Accounts that all three list alike, and those whose places differ. */
enum { GLOBAL, FEE_RECIPIENT, MINT, CURVE, CURVE_TOKENS, USER_TOKENS, USER, SYSTEM };
enum { BUY_CREATOR = 9, SELL_CREATOR = 8 };
enum { EVENT_AUTHORITY = 10, ACCOUNTS = 12 };

#define BASIS_POINTS 10000UL

/* The venue's own numbers. */
#define TOO_MUCH_SOL 6002
#define TOO_LITTLE_SOL 6003
#define IS_OVER 6005

typedef struct {
  u64 sol, tokens, fee, creator_fee;
  int is_buy;
} Trade;

/** The creator's vault and the curve are the program's own, as their seeds say. */
INLINE u64 check(const Given *given, const Call *call, const Account *creator_vault, Derived *curve) {
  const Account *a = given->accounts;
  if (!a[USER].is_signer) return MISSING_SIGNATURE;
  int is_ours = is_state(&a[CURVE], call, CURVE_BYTES) && is_state(&a[GLOBAL], call, GLOBAL_BYTES);
  if (!is_ours) return INVALID_ACCOUNT;
  if (!is_same_key(a[FEE_RECIPIENT].key, a[GLOBAL].data + GLOBAL_RECIPIENT)) return INVALID_ACCOUNT;
  Derived vault = {
    .text = {WORD('c', 'r', 'e', 'a', 't', 'o', 'r', '-'), WORD('v', 'a', 'u', 'l', 't', 0, 0, 0)},
    .seeds = {{0, 0}, {a[CURVE].data + CREATOR, 32}},
    .count = 2};
  u64 problem = derive(&vault, call->program, creator_vault->key);
  return problem ? problem : derive_curve(curve, call, a[MINT].key, a[CURVE].key);
}

/** What a trade costs or gives, and its fees, all rounded against the user. */
INLINE u64 price(const Given *given, const Call *call, u64 tag, Trade *trade) {
  const u8 *curve = given->accounts[CURVE].data, *global = given->accounts[GLOBAL].data;
  u64 first = READ(u64, call->data + 8), limit = READ(u64, call->data + 16);
  u64 tokens = READ(u64, curve + VIRTUAL_TOKENS), sol = READ(u64, curve + VIRTUAL_SOL);
  u64 real = READ(u64, curve + REAL_TOKENS);
  u64 fee = READ(u64, global + GLOBAL_FEE), creator_fee = READ(u64, global + GLOBAL_CREATOR_FEE);
  trade->is_buy = tag != SELL;
  trade->tokens = first;
  if (first == 0) return INVALID_DATA;
  if (tag == BUY_EXACT_SOL_IN) {
    u64 net = multiply_divide(first - 1, BASIS_POINTS, BASIS_POINTS + fee + creator_fee, 0);
    trade->tokens = multiply_divide(net, tokens, sol + net, 0);
  }
  if (trade->is_buy) {
    if (trade->tokens > real) trade->tokens = real;
    trade->sol = multiply_divide(trade->tokens, sol, tokens - trade->tokens, 0) + 1;
  } else trade->sol = multiply_divide(trade->tokens, sol, tokens + trade->tokens, 0);
  trade->fee = multiply_divide(trade->sol, fee, BASIS_POINTS, 1);
  trade->creator_fee = multiply_divide(trade->sol, creator_fee, BASIS_POINTS, 1);
  u64 fees = trade->fee + trade->creator_fee;
  if (tag == BUY && trade->sol + fees > limit) return TOO_MUCH_SOL;
  if (tag == BUY_EXACT_SOL_IN && (trade->sol + fees > first || trade->tokens < limit)) return TOO_MUCH_SOL;
  if (tag == SELL && (trade->sol < fees || trade->sol - fees < limit)) return TOO_LITTLE_SOL;
  if (tag == SELL && trade->sol > READ(u64, curve + REAL_SOL)) return TOO_LITTLE_SOL;
  return trade->tokens == 0 ? INVALID_DATA : SUCCESS;
}

INLINE void add(u8 *at, u64 amount, int is_gain) {
  WRITE(u64, at, is_gain ? READ(u64, at) + amount : READ(u64, at) - amount);
}

INLINE void change(u8 *curve, const Trade *trade) {
  add(curve + VIRTUAL_TOKENS, trade->tokens, !trade->is_buy);
  add(curve + REAL_TOKENS, trade->tokens, !trade->is_buy);
  add(curve + VIRTUAL_SOL, trade->sol, trade->is_buy);
  add(curve + REAL_SOL, trade->sol, trade->is_buy);
  if (READ(u64, curve + REAL_TOKENS) == 0) curve[IS_COMPLETE] = 1;
}

/** Moves what a buyer pays and gets; the curve signs for its tokens. */
INLINE u64 pay_buy(const Given *given, const Trade *trade, const Seeds *curve) {
  const Account *a = given->accounts;
  Payment payment = {a[SYSTEM].key, a[USER].key, a[CURVE].key, trade->sol, 0, 0};
  u64 problem = pay_lamports(given, &payment);
  payment.to = a[FEE_RECIPIENT].key;
  payment.amount = trade->fee;
  if (!problem) problem = pay_lamports(given, &payment);
  payment.to = a[BUY_CREATOR].key;
  payment.amount = trade->creator_fee;
  if (!problem) problem = pay_lamports(given, &payment);
  if (problem) return problem;
  Transfer out = {a[MINT].owner, &a[CURVE_TOKENS], &a[MINT], &a[USER_TOKENS],
                  a[CURVE].key,  trade->tokens,    curve};
  return transfer_tokens(given, &out);
}

/** Moves what a seller pays; the curve's lamports are the program's to give. */
INLINE u64 pay_sell(const Given *given, const Trade *trade) {
  const Account *a = given->accounts;
  Transfer in = {a[MINT].owner, &a[USER_TOKENS], &a[MINT], &a[CURVE_TOKENS],
                 a[USER].key,   trade->tokens,   0};
  u64 problem = transfer_tokens(given, &in);
  if (problem) return problem;
  *a[CURVE].lamports -= trade->sol;
  *a[USER].lamports += trade->sol - trade->fee - trade->creator_fee;
  *a[FEE_RECIPIENT].lamports += trade->fee;
  *a[SELL_CREATOR].lamports += trade->creator_fee;
  return SUCCESS;
}

INLINE u64 tell(const Given *given, const Call *call, const Trade *trade) {
  const Account *a = given->accounts;
  const u8 *curve = a[CURVE].data, *global = a[GLOBAL].data;
  u64 clock[CLOCK_WORDS];
  sol_get_clock_sysvar(clock);
  u8 bytes[240], *event = bytes + 8;
  WRITE(u64, event, TRADE_EVENT);
  copy_key(event + 8, a[MINT].key);
  WRITE(u64, event + 40, trade->sol);
  WRITE(u64, event + 48, trade->tokens);
  event[56] = trade->is_buy;
  copy_key(event + 57, a[USER].key);
  WRITE(u64, event + 89, clock[CLOCK_TIME]);
  WRITE(u64, event + 97, READ(u64, curve + VIRTUAL_SOL));
  WRITE(u64, event + 105, READ(u64, curve + VIRTUAL_TOKENS));
  WRITE(u64, event + 113, READ(u64, curve + REAL_SOL));
  WRITE(u64, event + 121, READ(u64, curve + REAL_TOKENS));
  copy_key(event + 129, a[FEE_RECIPIENT].key);
  WRITE(u64, event + 161, READ(u64, global + GLOBAL_FEE));
  WRITE(u64, event + 169, trade->fee);
  copy_key(event + 177, curve + CREATOR);
  WRITE(u64, event + 209, READ(u64, global + GLOBAL_CREATOR_FEE));
  WRITE(u64, event + 217, trade->creator_fee);
  u64 problem = emit(given, call, a[EVENT_AUTHORITY].key, event, 225);
  if (problem || !curve[IS_COMPLETE]) return problem;
  WRITE(u64, event, COMPLETE_EVENT);
  copy_key(event + 8, a[USER].key);
  copy_key(event + 40, a[MINT].key);
  copy_key(event + 72, a[CURVE].key);
  WRITE(u64, event + 104, clock[CLOCK_TIME]);
  return emit(given, call, a[EVENT_AUTHORITY].key, event, 112);
}

FUNCTION u64 trade_on_curve(const Given *given, const Call *call, u64 tag) {
  if (call->data_length < 24) return INVALID_DATA;
  if (given->count < ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  u8 *curve = given->accounts[CURVE].data;
  Derived signer;
  const Account *creator_vault = &given->accounts[tag == SELL ? SELL_CREATOR : BUY_CREATOR];
  u64 problem = check(given, call, creator_vault, &signer);
  if (problem) return problem;
  if (curve[IS_COMPLETE]) return IS_OVER;
  Trade trade;
  problem = price(given, call, tag, &trade);
  if (problem) return problem;
  problem = trade.is_buy ? pay_buy(given, &trade, &signer.signer) : pay_sell(given, &trade);
  if (problem) return problem;
  change(curve, &trade);
  return tell(given, call, &trade);
}

u64 entrypoint(u8 *input) {
  Account accounts[MOST_ACCOUNTS];
  Call call;
  if (!read_input(input, accounts, &call)) return INVALID_ARGUMENT;
  if (call.data_length < 8) return INVALID_DATA;
  u64 tag = READ(u64, call.data);
  Given given = {accounts, call.account_count};
  if (tag == EVENT_CALL) return accept_event(&given, &call);
  if (tag == BUY || tag == SELL || tag == BUY_EXACT_SOL_IN) return trade_on_curve(&given, &call, tag);
  if (tag == CREATE) return create(&given, &call);
  return tag == MIGRATE ? migrate(&given, &call) : INVALID_DATA;
}
