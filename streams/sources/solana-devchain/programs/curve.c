/**
 * A bonding curve that speaks pump.fun's `buy`, `buy_exact_sol_in` and `sell`: its instructions,
 * accounts, states, formulas and events, told by log and by a call to itself. It was written for the
 * simulated chain, and has nothing of pump.fun's program.
 */
#include "svm.h"

#define BUY 0xeaebda01123d0666UL
#define SELL 0xad837f01a485e633UL
#define BUY_EXACT_SOL_IN 0x5fcddf9e0874fc38UL
#define EVENT_CALL 0x1d9acb512ea545e4UL
#define TRADE_EVENT 0xee61e64ed37fdbbdUL
#define COMPLETE_EVENT 0x08982ed49c61725fUL

/* Accounts that all three list alike, and those whose places differ. */
enum { GLOBAL, FEE_RECIPIENT, MINT, CURVE, CURVE_TOKENS, USER_TOKENS, USER, SYSTEM };
enum { BUY_TOKEN_PROGRAM = 8, BUY_CREATOR = 9, SELL_CREATOR = 8, SELL_TOKEN_PROGRAM = 9 };
enum { EVENT_AUTHORITY = 10, ACCOUNTS = 12 };

/* Places in the curve's state. */
#define VIRTUAL_TOKENS 8
#define VIRTUAL_SOL 16
#define REAL_TOKENS 24
#define REAL_SOL 32
#define IS_COMPLETE 48
#define CREATOR 49
#define CURVE_BYTES 81
/* Places in the global state. */
#define GLOBAL_RECIPIENT 41
#define GLOBAL_FEE 105
#define GLOBAL_CREATOR_FEE 154
#define GLOBAL_BYTES 162

#define BASIS_POINTS 10000UL

/* The venue's own numbers. */
#define TOO_MUCH_SOL 6002
#define TOO_LITTLE_SOL 6003
#define IS_OVER 6005

typedef struct {
  u64 sol, tokens, fee, creator_fee;
  int is_buy;
} Trade;

/** The creator's vault is the program's own: what "creator-vault" and the creator give. */
INLINE u64 check(const Given *given, const Call *call, const Account *creator_vault) {
  const Account *a = given->accounts;
  if (!a[USER].is_signer) return MISSING_SIGNATURE;
  if (!is_same_key(a[CURVE].owner, call->program) || a[CURVE].data_length < CURVE_BYTES) return INVALID_ACCOUNT;
  if (!is_same_key(a[GLOBAL].owner, call->program) || a[GLOBAL].data_length < GLOBAL_BYTES) return INVALID_ACCOUNT;
  if (!is_same_key(a[FEE_RECIPIENT].key, a[GLOBAL].data + GLOBAL_RECIPIENT)) return INVALID_ACCOUNT;
  // "creator-vault"
  u64 seed[2] = {0x2d726f7461657263UL, 0x746c756176UL};
  Slice seeds[2] = {{(const u8 *)seed, 13}, {a[CURVE].data + CREATOR, 32}};
  u8 vault[32], bump;
  if (sol_try_find_program_address(seeds, 2, call->program, vault, &bump)) return INVALID_ACCOUNT;
  return is_same_key(vault, creator_vault->key) ? SUCCESS : INVALID_ACCOUNT;
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
INLINE u64 pay_buy(const Given *given, const Call *call, const Trade *trade) {
  const Account *a = given->accounts;
  const u8 *system = a[SYSTEM].key, *user = a[USER].key;
  u64 problem = transfer_lamports(given, system, user, a[CURVE].key, trade->sol);
  if (!problem) problem = transfer_lamports(given, system, user, a[FEE_RECIPIENT].key, trade->fee);
  if (!problem) problem = transfer_lamports(given, system, user, a[BUY_CREATOR].key, trade->creator_fee);
  if (problem) return problem;
  // "bonding-curve"
  u64 seed[2] = {0x2d676e69646e6f62UL, 0x6576727563UL};
  u8 curve[32], bump;
  Slice slices[3] = {{(const u8 *)seed, 13}, {a[MINT].key, 32}, {&bump, 1}};
  if (sol_try_find_program_address(slices, 2, call->program, curve, &bump)) return INVALID_ACCOUNT;
  Seeds seeds = {slices, 3};
  Transfer out = {a[BUY_TOKEN_PROGRAM].key, &a[CURVE_TOKENS], &a[MINT],      &a[USER_TOKENS],
                  a[CURVE].key,             trade->tokens,    &seeds};
  return transfer_tokens(given, &out);
}

/** Moves what a seller pays; the curve's lamports are the program's to give. */
INLINE u64 pay_sell(const Given *given, const Trade *trade) {
  const Account *a = given->accounts;
  Transfer in = {a[SELL_TOKEN_PROGRAM].key, &a[USER_TOKENS], &a[MINT], &a[CURVE_TOKENS],
                 a[USER].key,               trade->tokens,   0};
  u64 problem = transfer_tokens(given, &in);
  if (problem) return problem;
  *a[CURVE].lamports -= trade->sol;
  *a[USER].lamports += trade->sol - trade->fee - trade->creator_fee;
  *a[FEE_RECIPIENT].lamports += trade->fee;
  *a[SELL_CREATOR].lamports += trade->creator_fee;
  return SUCCESS;
}

/** The seed "__event_authority" in words, and its length. */
#define EVENT_SEED {0x5f746e6576655f5fUL, 0x7469726f68747561UL, 0x79}
#define EVENT_SEED_BYTES 17

/** Only the program itself can sign for the account that its calls to itself list. */
INLINE u64 accept_event(const Given *given, const Call *call) {
  u64 seed[3] = EVENT_SEED;
  Slice slice = {(const u8 *)seed, EVENT_SEED_BYTES};
  u8 authority[32], bump;
  if (given->count != 1 || !given->accounts[0].is_signer) return MISSING_SIGNATURE;
  if (sol_try_find_program_address(&slice, 1, call->program, authority, &bump)) return INVALID_ACCOUNT;
  return is_same_key(authority, given->accounts[0].key) ? SUCCESS : INVALID_ACCOUNT;
}

/** Tells an event by log, and by a call to the program itself; 8 bytes before it are free. */
INLINE u64 emit(const Given *given, const Call *call, u8 *event, u64 length) {
  Slice slice = {event, length};
  sol_log_data(&slice, 1);
  WRITE(u64, event - 8, EVENT_CALL);
  u64 seed[3] = EVENT_SEED;
  u8 authority[32], bump;
  Slice slices[2] = {{(const u8 *)seed, EVENT_SEED_BYTES}, {&bump, 1}};
  if (sol_try_find_program_address(slices, 1, call->program, authority, &bump)) return INVALID_ACCOUNT;
  Seeds seeds = {slices, 2};
  AccountMeta meta = {given->accounts[EVENT_AUTHORITY].key, 0, 1};
  Instruction instruction = {call->program, &meta, 1, event - 8, length + 8};
  return invoke(given, &instruction, &seeds);
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
  u64 problem = emit(given, call, event, 225);
  if (problem || !curve[IS_COMPLETE]) return problem;
  WRITE(u64, event, COMPLETE_EVENT);
  copy_key(event + 8, a[USER].key);
  copy_key(event + 40, a[MINT].key);
  copy_key(event + 72, a[CURVE].key);
  WRITE(u64, event + 104, clock[CLOCK_TIME]);
  return emit(given, call, event, 112);
}

INLINE u64 settle(const Given *given, const Call *call, u64 tag) {
  u8 *curve = given->accounts[CURVE].data;
  u64 problem = check(given, call, &given->accounts[tag == SELL ? SELL_CREATOR : BUY_CREATOR]);
  if (problem) return problem;
  if (curve[IS_COMPLETE]) return IS_OVER;
  Trade trade;
  problem = price(given, call, tag, &trade);
  if (problem) return problem;
  problem = trade.is_buy ? pay_buy(given, call, &trade) : pay_sell(given, &trade);
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
  if (call.data_length < 24) return INVALID_DATA;
  if (call.account_count < ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (tag != BUY && tag != SELL && tag != BUY_EXACT_SOL_IN) return INVALID_DATA;
  return settle(&given, &call, tag);
}
