/**
 * What a program on Solana needs of its machine, without any library: the input as the loader lays
 * it out, calls of other programs, and sums in 128 bits. No constant may stand outside
 * the code, so that an object is linked by copying its code (`link-program.ts`).
 */
#ifndef SVM_H
#define SVM_H

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#define INLINE static inline __attribute__((always_inline))
/** A function with a frame of its own: each may hold 4,096 bytes and take five arguments. */
#define FUNCTION static __attribute__((noipa, unused))

/** More accounts than any instruction here lists. */
#define MOST_ACCOUNTS 24

/** An account as `sol_invoke_signed_c` takes it; pointers go into the input. */
typedef struct {
  u8 *key;
  u64 *lamports;
  u64 data_length;
  u8 *data;
  u8 *owner;
  u64 rent_epoch;
  u8 is_signer;
  u8 is_writable;
  u8 is_executable;
} Account;

typedef struct {
  const u8 *key;
  u8 is_writable;
  u8 is_signer;
} AccountMeta;

typedef struct {
  const u8 *program;
  AccountMeta *accounts;
  u64 account_count;
  const u8 *data;
  u64 data_length;
} Instruction;

typedef struct {
  const u8 *bytes;
  u64 length;
} Slice;

/** The seeds of one address that a program signs for. */
typedef struct {
  const Slice *seeds;
  u64 count;
} Seeds;

extern u64 sol_log_data(const Slice *, u64);
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64, const Seeds *, u64);
extern u64 sol_get_clock_sysvar(u64 *);
extern u64 sol_try_find_program_address(const Slice *, u64, const u8 *, u8 *, u8 *);

/** Where the clock has the time, in Unix seconds. */
#define CLOCK_WORDS 5
#define CLOCK_TIME 4

/* Results: those of 2^32 and more are the machine's own, others are shown as `Custom`. */
#define SUCCESS 0
#define INVALID_ARGUMENT (2UL << 32)
#define INVALID_DATA (3UL << 32)
#define INVALID_ACCOUNT (4UL << 32)
#define MISSING_SIGNATURE (8UL << 32)
#define NOT_ENOUGH_ACCOUNTS (11UL << 32)

#define READ(type, at) (*(const type *)(at))
#define WRITE(type, at, value) (*(type *)(at) = (type)(value))

typedef struct {
  u64 account_count;
  const u8 *data;
  u64 data_length;
  const u8 *program;
} Call;

/** What an account may grow by, which follows its data in the input. */
#define ROOM_TO_GROW 10240

/** Reads the input; returns false where it lists more accounts than there may be. */
INLINE int read_input(u8 *input, Account *accounts, Call *call) {
  u64 count = READ(u64, input);
  if (count > MOST_ACCOUNTS) return 0;
  u8 *at = input + 8;
  for (u64 i = 0; i < count; i++) {
    u8 first = *at;
    if (first != 255) {
      if (first >= i) return 0;
      accounts[i] = accounts[first];
      at += 8;
      continue;
    }
    Account *account = &accounts[i];
    account->is_signer = at[1];
    account->is_writable = at[2];
    account->is_executable = at[3];
    account->key = at + 8;
    account->owner = at + 40;
    account->lamports = (u64 *)(at + 72);
    account->data_length = READ(u64, at + 80);
    account->data = at + 88;
    u64 end = 88 + account->data_length + ROOM_TO_GROW;
    at += (end + 7) & ~7UL;
    account->rent_epoch = READ(u64, at);
    at += 8;
  }
  call->account_count = count;
  call->data_length = READ(u64, at);
  call->data = at + 8;
  call->program = at + 8 + call->data_length;
  return 1;
}

INLINE int is_same_key(const u8 *a, const u8 *b) {
  return READ(u64, a) == READ(u64, b) && READ(u64, a + 8) == READ(u64, b + 8) &&
         READ(u64, a + 16) == READ(u64, b + 16) && READ(u64, a + 24) == READ(u64, b + 24);
}

/** Whether an account is the program's own, and long enough to be read as one of its states. */
INLINE int is_state(const Account *account, const Call *call, u64 bytes) {
  return is_same_key(account->owner, call->program) && account->data_length >= bytes;
}

INLINE void copy_key(u8 *to, const u8 *from) {
  for (int i = 0; i < 32; i += 8) WRITE(u64, to + i, READ(u64, from + i));
}

INLINE void copy_bytes(u8 *to, const u8 *from, u64 count) {
  for (u64 i = 0; i < count; i++) to[i] = from[i];
}

typedef struct {
  u64 high, low;
} Wide;

INLINE Wide multiply(u64 a, u64 b) {
  u64 al = a & 0xffffffff, ah = a >> 32, bl = b & 0xffffffff, bh = b >> 32;
  u64 ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
  u64 middle = (ll >> 32) + (lh & 0xffffffff) + (hl & 0xffffffff);
  Wide product = {hh + (lh >> 32) + (hl >> 32) + (middle >> 32), (middle << 32) | (ll & 0xffffffff)};
  return product;
}

/** a * b / c without loss, rounded down; 2^64 - 1 where that does not fit. */
FUNCTION u64 multiply_divide(u64 a, u64 b, u64 c, int is_up) {
  Wide product = multiply(a, b);
  if (product.high >= c) return ~0UL;
  u64 rest = product.high, quotient = 0;
  for (int i = 63; i >= 0; i--) {
    u64 carry = rest >> 63;
    rest = (rest << 1) | ((product.low >> i) & 1);
    quotient <<= 1;
    if (carry || rest >= c) {
      rest -= c;
      quotient |= 1;
    }
  }
  return is_up && rest > 0 ? quotient + 1 : quotient;
}

/** The square root of a * b, rounded down. */
FUNCTION u64 root_of_product(u64 a, u64 b) {
  Wide product = multiply(a, b);
  u64 root = 0;
  for (int i = 63; i >= 0; i--) {
    u64 next = root | (1UL << i);
    Wide square = multiply(next, next);
    int is_less = square.high != product.high ? square.high < product.high : square.low <= product.low;
    if (is_less) root = next;
  }
  return root;
}

/** All accounts of the instruction, which calls may use. */
typedef struct {
  const Account *accounts;
  u64 count;
} Given;

INLINE u64 invoke(const Given *given, const Instruction *instruction, const Seeds *seeds) {
  return sol_invoke_signed_c(instruction, given->accounts, given->count, seeds, seeds ? 1 : 0);
}

/** Eight characters of a seed, since texts would stand outside the code. */
#define WORD(a, b, c, d, e, f, g, h)                                                                 \
  ((u64)(a) | (u64)(b) << 8 | (u64)(c) << 16 | (u64)(d) << 24 | (u64)(e) << 32 | (u64)(f) << 40 |     \
   (u64)(g) << 48 | (u64)(h) << 56)

/** An address that a program derives of a text and other seeds, and signs for. */
typedef struct {
  u64 text[4];
  /* the first is the text */
  Slice seeds[6];
  u64 count;
  u8 bump;
  Seeds signer;
} Derived;

/** Returns whether a key is the derived address; fills in what signs for it. */
FUNCTION u64 derive(Derived *derived, const u8 *program, const u8 *key) {
  u8 found[32];
  Slice text = {(const u8 *)derived->text, 0};
  while (text.bytes[text.length]) text.length++;
  derived->seeds[0] = text;
  if (sol_try_find_program_address(derived->seeds, derived->count, program, found, &derived->bump))
    return INVALID_ACCOUNT;
  Slice bump = {&derived->bump, 1};
  derived->seeds[derived->count] = bump;
  derived->signer.seeds = derived->seeds;
  derived->signer.count = derived->count + 1;
  return is_same_key(found, key) ? SUCCESS : INVALID_ACCOUNT;
}

#endif
