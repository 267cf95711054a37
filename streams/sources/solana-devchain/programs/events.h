/** Events that a program tells by its log and, for logs that are cut off, by a call to itself. */
#ifndef EVENTS_H
#define EVENTS_H

#include "svm.h"

#define EVENT_CALL 0x1d9acb512ea545e4UL

/** The account that the program's calls to itself list, which it alone can sign for. */
#define EVENT_AUTHORITY_OF                                                                           \
  {.text = {WORD('_', '_', 'e', 'v', 'e', 'n', 't', '_'), WORD('a', 'u', 't', 'h', 'o', 'r', 'i', 't'), 'y'}, \
   .count = 1}

/** Answers a call of the program to itself. */
FUNCTION u64 accept_event(const Given *given, const Call *call) {
  Derived authority = EVENT_AUTHORITY_OF;
  if (given->count != 1 || !given->accounts[0].is_signer) return MISSING_SIGNATURE;
  return derive(&authority, call->program, given->accounts[0].key);
}

/** Tells an event by log, and by a call to the program itself; 8 bytes before it are free. */
FUNCTION u64 emit(const Given *given, const Call *call, const u8 *authority, u8 *event, u64 length) {
  Slice slice = {event, length};
  sol_log_data(&slice, 1);
  WRITE(u64, event - 8, EVENT_CALL);
  Derived derived = EVENT_AUTHORITY_OF;
  if (derive(&derived, call->program, authority)) return INVALID_ACCOUNT;
  AccountMeta meta = {authority, 0, 1};
  Instruction instruction = {call->program, &meta, 1, event - 8, length + 8};
  return invoke(given, &instruction, &derived.signer);
}

#endif
