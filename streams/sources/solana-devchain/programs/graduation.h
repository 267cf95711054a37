/**
 * Curves that graduate: pump.fun's `migrate`, which puts all that a complete curve has into a new pool
 * of PumpSwap and burns the pool's liquidity, so that it stays there.
 */
#ifndef GRADUATION_H
#define GRADUATION_H

#include "curve.h"

#define MIGRATION_EVENT 0x94ea945cb95de9bdUL
#define CREATE_POOL 0xbc4068cf8ed192e9UL

enum {
  END_GLOBAL, END_WITHDRAWER, END_MINT, END_CURVE, END_CURVE_TOKENS, END_USER, END_SYSTEM, END_PROGRAM,
  END_AMM, END_POOL, END_AUTHORITY, END_TOKENS, END_WRAPPED, END_AMM_GLOBAL, END_WRAPPED_MINT, END_LP_MINT,
  END_LP, END_BASE_VAULT, END_QUOTE_VAULT, END_PROGRAM_2022, END_ASSOCIATED, END_AMM_EVENT_AUTHORITY,
  END_EVENT_AUTHORITY, END_OWN_PROGRAM, END_ACCOUNTS
};

/* The venue's own numbers. */
#define WRONG_AUTHORITY 6000
#define IS_NOT_OVER 6006

/** What goes into the pool, and who pays for its accounts there: an address of each mint. */
typedef struct {
  u64 tokens, sol, fee;
  Derived authority, curve;
} Migration;

FUNCTION u64 check_migration(const Given *given, const Call *call, Migration *m) {
  const Account *a = given->accounts;
  const Account *global = &a[END_GLOBAL], *curve = &a[END_CURVE];
  if (given->count < END_ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[END_USER].is_signer) return MISSING_SIGNATURE;
  if (!is_state(global, call, GLOBAL_BYTES) || !is_state(curve, call, CURVE_BYTES)) return INVALID_ACCOUNT;
  if (!is_same_key(a[END_WITHDRAWER].key, global->data + GLOBAL_WITHDRAWER)) return WRONG_AUTHORITY;
  // a curve whose lamports have left has migrated
  if (!curve->data[IS_COMPLETE] || READ(u64, curve->data + REAL_SOL) == 0) return IS_NOT_OVER;
  u64 problem = derive_curve(&m->curve, call, a[END_MINT].key, curve->key);
  return problem ? problem : derive(&m->authority, call->program, a[END_AUTHORITY].key);
}

/** Gives the pool's authority what the curve has; the pool's fee is for the accounts that it opens. */
FUNCTION u64 empty_curve(const Given *given, Migration *m) {
  const Account *a = given->accounts;
  u64 all = m->sol + m->fee;
  *a[END_CURVE].lamports -= all;
  *a[END_AUTHORITY].lamports += all;
  const u8 *authority = a[END_AUTHORITY].key;
  // an account that is opened with lamports in it has them wrapped, but for its rent
  Payment payment = {a[END_SYSTEM].key, authority, a[END_WRAPPED].key, m->sol + rent_of(TOKEN_BYTES),
                     a[END_CURVE].key,  &m->authority.signer};
  u64 problem = pay_lamports(given, &payment);
  Associated wrapped = {
    a[END_ASSOCIATED].key, a[END_SYSTEM].key, a[END_PROGRAM].key,      authority,
    a[END_WRAPPED].key,    authority,         a[END_WRAPPED_MINT].key, &m->authority.signer};
  if (!problem) problem = open_associated(given, &wrapped);
  Associated tokens = wrapped;
  tokens.token_program = a[END_MINT].owner;
  tokens.account = a[END_TOKENS].key;
  tokens.mint = a[END_MINT].key;
  if (!problem) problem = open_associated(given, &tokens);
  Transfer out = {a[END_MINT].owner, &a[END_CURVE_TOKENS], &a[END_MINT], &a[END_TOKENS],
                  a[END_CURVE].key,  m->tokens,            &m->curve.signer};
  return problem ? problem : transfer_tokens(given, &out);
}

FUNCTION u64 create_pool(const Given *given, const Migration *m) {
  const Account *a = given->accounts;
  u8 data[64];
  WRITE(u64, data, CREATE_POOL);
  WRITE(u16, data + 8, 0);
  WRITE(u64, data + 10, m->tokens);
  WRITE(u64, data + 18, m->sol);
  copy_key(data + 26, a[END_CURVE].data + CREATOR);
  AccountMeta metas[18] = {
    {a[END_POOL].key, 1, 0},         {a[END_AMM_GLOBAL].key, 0, 0},   {a[END_AUTHORITY].key, 1, 1},
    {a[END_MINT].key, 0, 0},         {a[END_WRAPPED_MINT].key, 0, 0}, {a[END_LP_MINT].key, 1, 0},
    {a[END_TOKENS].key, 1, 0},       {a[END_WRAPPED].key, 1, 0},      {a[END_LP].key, 1, 0},
    {a[END_BASE_VAULT].key, 1, 0},   {a[END_QUOTE_VAULT].key, 1, 0},  {a[END_SYSTEM].key, 0, 0},
    {a[END_PROGRAM_2022].key, 0, 0}, {a[END_MINT].owner, 0, 0},       {a[END_PROGRAM].key, 0, 0},
    {a[END_ASSOCIATED].key, 0, 0},   {a[END_AMM_EVENT_AUTHORITY].key, 0, 0}, {a[END_AMM].key, 0, 0}};
  Instruction instruction = {a[END_AMM].key, metas, 18, data, 58};
  return invoke(given, &instruction, &m->authority.signer);
}

/** Burns the pool's liquidity, and gives back what its accounts did not cost. */
FUNCTION u64 close_migration(const Given *given, const Migration *m) {
  const Account *a = given->accounts;
  Supply liquidity = {a[END_PROGRAM_2022].key,
                      a[END_LP_MINT].key,
                      a[END_LP].key,
                      a[END_AUTHORITY].key,
                      READ(u64, a[END_LP].data + TOKEN_AMOUNT),
                      &m->authority.signer};
  u64 problem = burn_tokens(given, &liquidity);
  Payment rest = {a[END_SYSTEM].key,     a[END_AUTHORITY].key, a[END_WITHDRAWER].key,
                  *a[END_AUTHORITY].lamports, 0,               &m->authority.signer};
  return problem ? problem : pay_lamports(given, &rest);
}

FUNCTION u64 tell_migration(const Given *given, const Call *call, const Migration *m) {
  const Account *a = given->accounts;
  u64 clock[CLOCK_WORDS];
  sol_get_clock_sysvar(clock);
  u8 bytes[176], *event = bytes + 8;
  WRITE(u64, event, MIGRATION_EVENT);
  copy_key(event + 8, a[END_USER].key);
  copy_key(event + 40, a[END_MINT].key);
  WRITE(u64, event + 72, m->tokens);
  WRITE(u64, event + 80, m->sol);
  WRITE(u64, event + 88, m->fee);
  copy_key(event + 96, a[END_CURVE].key);
  WRITE(u64, event + 128, clock[CLOCK_TIME]);
  copy_key(event + 136, a[END_POOL].key);
  return emit(given, call, a[END_EVENT_AUTHORITY].key, event, 168);
}

FUNCTION u64 migrate(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  Migration m = {.authority = {.text = {WORD('p', 'o', 'o', 'l', '-', 'a', 'u', 't'),
                                        WORD('h', 'o', 'r', 'i', 't', 'y', 0, 0)},
                               .seeds = {{0, 0}, {a[END_MINT].key, 32}},
                               .count = 2}};
  u64 problem = check_migration(given, call, &m);
  if (problem) return problem;
  u8 *curve = a[END_CURVE].data;
  m.fee = READ(u64, a[END_GLOBAL].data + GLOBAL_MIGRATION_FEE);
  m.sol = READ(u64, curve + REAL_SOL) - m.fee;
  m.tokens = READ(u64, a[END_CURVE_TOKENS].data + TOKEN_AMOUNT);
  problem = empty_curve(given, &m);
  if (!problem) problem = create_pool(given, &m);
  if (!problem) problem = close_migration(given, &m);
  if (problem) return problem;
  for (u64 at = VIRTUAL_TOKENS; at <= REAL_SOL; at += 8) WRITE(u64, curve + at, 0);
  return tell_migration(given, call, &m);
}

#endif
