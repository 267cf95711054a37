/**
 * Tokens that launch: pump.fun's `create_v2`, which makes a mint of Token-2022 that holds its own name
 * and symbol, gives the whole supply to a new curve, and gives up the right to mint.
 */
#ifndef LAUNCH_H
#define LAUNCH_H

#include "curve.h"

#define CREATE_EVENT 0x7663ebde4da9721bUL
#define CURVE_TAG 0x60acd86037f8b717UL
/** Of a launched token's curve, with what newer versions of the venue added. */
#define NEW_CURVE_BYTES 151
#define DECIMALS 6
/** A mint of Token-2022 that says where its metadata stands, and what that takes beside its texts. */
#define POINTED_MINT_BYTES 234
#define METADATA_BYTES 72
#define MOST_TEXT_BYTES 300

#define METADATA_TAG 0x8d4db858a21ee1d2UL
#define TOKEN_METADATA_POINTER 39

enum {
  NEW_MINT, NEW_MINT_AUTHORITY, NEW_CURVE, NEW_CURVE_TOKENS, NEW_GLOBAL, NEW_USER, NEW_SYSTEM, NEW_PROGRAM,
  NEW_ASSOCIATED, NEW_MAYHEM_PROGRAM, NEW_MAYHEM_PARAMETERS, NEW_MAYHEM_SOL, NEW_MAYHEM_STATE,
  NEW_MAYHEM_TOKENS, NEW_EVENT_AUTHORITY, NEW_OWN_PROGRAM, NEW_ACCOUNTS
};

/** Returns how many bytes name, symbol and page take with their lengths; 0 where they do not fit. */
FUNCTION u64 text_bytes(const Call *call) {
  u64 at = 8;
  for (int i = 0; i < 3; i++) {
    if (at + 4 > call->data_length) return 0;
    at += 4 + READ(u32, call->data + at);
  }
  return at + 33 > call->data_length || at - 8 > MOST_TEXT_BYTES ? 0 : at - 8;
}

/** Says that a mint's metadata is the mint's own. It must be said before the mint is made. */
FUNCTION u64 point_to_metadata(const Given *given) {
  const Account *a = given->accounts;
  u8 data[72];
  data[0] = TOKEN_METADATA_POINTER;
  data[1] = 0;
  copy_key(data + 2, a[NEW_MINT_AUTHORITY].key);
  copy_key(data + 34, a[NEW_MINT].key);
  AccountMeta meta = {a[NEW_MINT].key, 1, 0};
  Instruction instruction = {a[NEW_PROGRAM].key, &meta, 1, data, 66};
  return invoke(given, &instruction, 0);
}

/** Writes the texts into the mint, by the interface of token metadata. */
FUNCTION u64 write_metadata(const Given *given, const Call *call, u64 texts, const Seeds *authority) {
  const Account *a = given->accounts;
  u8 data[8 + MOST_TEXT_BYTES];
  WRITE(u64, data, METADATA_TAG);
  copy_bytes(data + 8, call->data + 8, texts);
  const u8 *mint = a[NEW_MINT].key, *minter = a[NEW_MINT_AUTHORITY].key;
  AccountMeta metas[4] = {{mint, 1, 0}, {minter, 0, 0}, {mint, 0, 0}, {minter, 0, 1}};
  Instruction instruction = {a[NEW_PROGRAM].key, metas, 4, data, 8 + texts};
  return invoke(given, &instruction, authority);
}

FUNCTION u64 open_new_mint(const Given *given, const Call *call, u64 texts, const Seeds *authority) {
  const Account *a = given->accounts;
  const u8 *program = a[NEW_PROGRAM].key, *mint = a[NEW_MINT].key;
  Opening opening = {a[NEW_SYSTEM].key,  a[NEW_USER].key, mint, program,
                     POINTED_MINT_BYTES, rent_of(POINTED_MINT_BYTES + METADATA_BYTES + texts), 0};
  u64 problem = open_account(given, &opening);
  if (!problem) problem = point_to_metadata(given);
  if (!problem) problem = make_mint(given, program, mint, a[NEW_MINT_AUTHORITY].key, DECIMALS);
  return problem ? problem : write_metadata(given, call, texts, authority);
}

FUNCTION u64 open_curve(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  const u8 *curve = a[NEW_CURVE].key, *mint = a[NEW_MINT].key;
  Derived derived;
  u64 problem = derive_curve(&derived, call, mint, curve);
  Opening opening = {
    a[NEW_SYSTEM].key, a[NEW_USER].key, curve, call->program, NEW_CURVE_BYTES, 0, &derived.signer};
  if (!problem) problem = open_account(given, &opening);
  Associated associated = {a[NEW_ASSOCIATED].key,   a[NEW_SYSTEM].key, a[NEW_PROGRAM].key, a[NEW_USER].key,
                           a[NEW_CURVE_TOKENS].key, curve,             mint,               0};
  return problem ? problem : open_associated(given, &associated);
}

/** Gives the curve the whole supply, to which nothing can be added then. */
FUNCTION u64 mint_supply(const Given *given, const Seeds *authority) {
  const Account *a = given->accounts;
  const u8 *program = a[NEW_PROGRAM].key, *mint = a[NEW_MINT].key, *minter = a[NEW_MINT_AUTHORITY].key;
  u64 amount = READ(u64, a[NEW_GLOBAL].data + GLOBAL_SUPPLY);
  Supply supply = {program, mint, a[NEW_CURVE_TOKENS].key, minter, amount, authority};
  u64 problem = mint_tokens(given, &supply);
  if (problem) return problem;
  u8 data[3] = {TOKEN_SET_AUTHORITY, 0, 0};
  AccountMeta metas[2] = {{mint, 1, 0}, {minter, 0, 1}};
  Instruction instruction = {program, metas, 2, data, 3};
  return invoke(given, &instruction, authority);
}

FUNCTION void write_curve(const Account *a, const u8 *creator) {
  u8 *curve = a[NEW_CURVE].data;
  const u8 *global = a[NEW_GLOBAL].data;
  WRITE(u64, curve, CURVE_TAG);
  WRITE(u64, curve + VIRTUAL_TOKENS, READ(u64, global + GLOBAL_VIRTUAL_TOKENS));
  WRITE(u64, curve + VIRTUAL_SOL, READ(u64, global + GLOBAL_VIRTUAL_SOL));
  WRITE(u64, curve + REAL_TOKENS, READ(u64, global + GLOBAL_REAL_TOKENS));
  WRITE(u64, curve + TOKEN_SUPPLY, READ(u64, global + GLOBAL_SUPPLY));
  copy_key(curve + CREATOR, creator);
}

FUNCTION u64 tell_launch(const Given *given, const Call *call, u64 texts) {
  const Account *a = given->accounts;
  const u8 *curve = a[NEW_CURVE].data;
  u64 clock[CLOCK_WORDS];
  sol_get_clock_sysvar(clock);
  u8 bytes[16 + MOST_TEXT_BYTES + 208], *event = bytes + 8;
  WRITE(u64, event, CREATE_EVENT);
  copy_bytes(event + 8, call->data + 8, texts);
  u8 *rest = event + 8 + texts;
  copy_key(rest, a[NEW_MINT].key);
  copy_key(rest + 32, a[NEW_CURVE].key);
  copy_key(rest + 64, a[NEW_USER].key);
  copy_key(rest + 96, curve + CREATOR);
  WRITE(u64, rest + 128, clock[CLOCK_TIME]);
  WRITE(u64, rest + 136, READ(u64, curve + VIRTUAL_TOKENS));
  WRITE(u64, rest + 144, READ(u64, curve + VIRTUAL_SOL));
  WRITE(u64, rest + 152, READ(u64, curve + REAL_TOKENS));
  WRITE(u64, rest + 160, READ(u64, curve + TOKEN_SUPPLY));
  copy_key(rest + 168, a[NEW_PROGRAM].key);
  rest[200] = 0;
  return emit(given, call, a[NEW_EVENT_AUTHORITY].key, event, 8 + texts + 201);
}

FUNCTION u64 create(const Given *given, const Call *call) {
  const Account *a = given->accounts;
  u64 texts = text_bytes(call);
  if (texts == 0) return INVALID_DATA;
  if (given->count < NEW_ACCOUNTS) return NOT_ENOUGH_ACCOUNTS;
  if (!a[NEW_MINT].is_signer || !a[NEW_USER].is_signer) return MISSING_SIGNATURE;
  if (!is_state(&a[NEW_GLOBAL], call, GLOBAL_BYTES)) return INVALID_ACCOUNT;
  Derived minter = {
    .text = {WORD('m', 'i', 'n', 't', '-', 'a', 'u', 't'), WORD('h', 'o', 'r', 'i', 't', 'y', 0, 0)},
    .count = 1};
  u64 problem = derive(&minter, call->program, a[NEW_MINT_AUTHORITY].key);
  if (!problem) problem = open_new_mint(given, call, texts, &minter.signer);
  if (!problem) problem = open_curve(given, call);
  if (!problem) problem = mint_supply(given, &minter.signer);
  if (problem) return problem;
  write_curve(a, call->data + 8 + texts);
  return tell_launch(given, call, texts);
}

#endif
