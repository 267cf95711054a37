/**
 * Calls of the system program, the token programs and the associated token program: what they move,
 * and the accounts that they open.
 */
#ifndef TOKENS_H
#define TOKENS_H

#include "svm.h"

/* Places in an account of tokens, and in a mint. */
#define TOKEN_AMOUNT 64
#define MINT_DECIMALS 44
#define TOKEN_BYTES 165
#define MINT_BYTES 82

/* Instructions of the token programs. */
#define TOKEN_SET_AUTHORITY 6
#define TOKEN_MINT 7
#define TOKEN_BURN 8
#define TOKEN_TRANSFER_CHECKED 12
#define TOKEN_SYNC_NATIVE 17
#define TOKEN_MAKE_ACCOUNT 18
#define TOKEN_MAKE_MINT 20

/** Units of a token on their way; `seeds` sign for the authority where there are any. */
typedef struct {
  const u8 *program;
  const Account *from;
  const Account *mint;
  const Account *to;
  const u8 *authority;
  u64 amount;
  const Seeds *seeds;
} Transfer;

/** Moves them by the token program. */
FUNCTION u64 transfer_tokens(const Given *given, const Transfer *t) {
  u8 data[16];
  data[0] = TOKEN_TRANSFER_CHECKED;
  WRITE(u64, data + 1, t->amount);
  data[9] = t->mint->data[MINT_DECIMALS];
  AccountMeta metas[4] = {
    {t->from->key, 1, 0}, {t->mint->key, 0, 0}, {t->to->key, 1, 0}, {t->authority, 0, 1}};
  Instruction instruction = {t->program, metas, 4, data, 10};
  return invoke(given, &instruction, t->seeds);
}

#define SYSTEM_CREATE 0
#define SYSTEM_TRANSFER 2

/**
 * Lamports on their way. What a program takes of its own account without a call is not known to
 * those that it calls unless they list that account: it is `beside` where there is one.
 */
typedef struct {
  const u8 *system;
  const u8 *from;
  const u8 *to;
  u64 amount;
  const u8 *beside;
  const Seeds *seeds;
} Payment;

/** Moves them by the system program. */
FUNCTION u64 pay_lamports(const Given *given, const Payment *p) {
  u8 data[16];
  WRITE(u32, data, SYSTEM_TRANSFER);
  WRITE(u64, data + 4, p->amount);
  AccountMeta metas[3] = {{p->from, 1, 1}, {p->to, 1, 0}, {p->beside, 1, 0}};
  Instruction instruction = {p->system, metas, p->beside ? 3 : 2, data, 12};
  return invoke(given, &instruction, p->seeds);
}

/** What an account of so many bytes must hold. */
INLINE u64 rent_of(u64 bytes) {
  return (bytes + 128) * 6960;
}

/** An account that is not there yet; `owner` is the program that will own it. */
typedef struct {
  const u8 *system;
  const u8 *payer;
  const u8 *key;
  const u8 *owner;
  u64 bytes;
  u64 lamports;
  const Seeds *seeds;
} Opening;

FUNCTION u64 open_account(const Given *given, const Opening *o) {
  u8 data[56];
  WRITE(u32, data, SYSTEM_CREATE);
  WRITE(u64, data + 4, o->lamports ? o->lamports : rent_of(o->bytes));
  WRITE(u64, data + 12, o->bytes);
  copy_key(data + 20, o->owner);
  AccountMeta metas[2] = {{o->payer, 1, 1}, {o->key, 1, 1}};
  Instruction instruction = {o->system, metas, 2, data, 52};
  return invoke(given, &instruction, o->seeds);
}

/** Makes an account that was opened one of tokens: `holder` holds what is in it. */
FUNCTION u64 make_tokens(
  const Given *given, const u8 *program, const u8 *account, const u8 *mint, const u8 *holder) {
  u8 data[40];
  data[0] = TOKEN_MAKE_ACCOUNT;
  copy_key(data + 1, holder);
  AccountMeta metas[2] = {{account, 1, 0}, {mint, 0, 0}};
  Instruction instruction = {program, metas, 2, data, 33};
  return invoke(given, &instruction, 0);
}

/** Makes an account that was opened a mint, without an authority that freezes. */
FUNCTION u64 make_mint(
  const Given *given, const u8 *program, const u8 *mint, const u8 *authority, u8 decimals) {
  u8 data[40];
  data[0] = TOKEN_MAKE_MINT;
  data[1] = decimals;
  copy_key(data + 2, authority);
  data[34] = 0;
  AccountMeta meta = {mint, 1, 0};
  Instruction instruction = {program, &meta, 1, data, 35};
  return invoke(given, &instruction, 0);
}

/** Tells the token program of lamports that an account of wrapped ones got. */
FUNCTION u64 sync_native(const Given *given, const u8 *program, const u8 *account) {
  u8 data = TOKEN_SYNC_NATIVE;
  AccountMeta meta = {account, 1, 0};
  Instruction instruction = {program, &meta, 1, &data, 1};
  return invoke(given, &instruction, 0);
}

/** The account of a holder for a mint, whose address follows from both. */
typedef struct {
  const u8 *program;
  const u8 *system;
  const u8 *token_program;
  const u8 *payer;
  const u8 *account;
  const u8 *holder;
  const u8 *mint;
  const Seeds *seeds;
} Associated;

#define ASSOCIATED_CREATE_IF_MISSING 1

FUNCTION u64 open_associated(const Given *given, const Associated *o) {
  u8 data = ASSOCIATED_CREATE_IF_MISSING;
  AccountMeta metas[6] = {{o->payer, 1, 1}, {o->account, 1, 0}, {o->holder, 0, 0},
                          {o->mint, 0, 0},  {o->system, 0, 0},  {o->token_program, 0, 0}};
  Instruction instruction = {o->program, metas, 6, &data, 1};
  return invoke(given, &instruction, o->seeds);
}

/** Units that are minted to an account, or burned of it. */
typedef struct {
  const u8 *program;
  const u8 *mint;
  const u8 *account;
  const u8 *authority;
  u64 amount;
  const Seeds *seeds;
} Supply;

FUNCTION u64 mint_tokens(const Given *given, const Supply *s) {
  u8 data[16];
  data[0] = TOKEN_MINT;
  WRITE(u64, data + 1, s->amount);
  AccountMeta metas[3] = {{s->mint, 1, 0}, {s->account, 1, 0}, {s->authority, 0, 1}};
  Instruction instruction = {s->program, metas, 3, data, 9};
  return invoke(given, &instruction, s->seeds);
}

FUNCTION u64 burn_tokens(const Given *given, const Supply *s) {
  u8 data[16];
  data[0] = TOKEN_BURN;
  WRITE(u64, data + 1, s->amount);
  AccountMeta metas[3] = {{s->account, 1, 0}, {s->mint, 1, 0}, {s->authority, 0, 1}};
  Instruction instruction = {s->program, metas, 3, data, 9};
  return invoke(given, &instruction, s->seeds);
}

#endif
