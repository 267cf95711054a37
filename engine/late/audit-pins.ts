/**
 * Compares holders of pinned tokens with the balances that their contracts give: as soon as the log
 * holds all of a token's transfers, and again from time to time. This finds tokens that change
 * balances without a transfer. An audit asks for some addresses of one token in one request.
 */
import { Effect, Option } from "effect"
import { steadyMillis } from "../../src/platform/elapsed.ts"
import { type Pinning, SourceError } from "../../streams/source.ts"
import type { LateOptions } from "./late-log.ts"
import { isComplete } from "./pin-ledger.ts"

const FIRST_PAUSE_MS = 1_000
const LOOK_MS = 500
const MAX_ANSWER_MS = 30_000
/** Pauses of the first length between two audits of a token, and after an audit that failed. */
const AUDIT_PAUSES = 3_600
const FAILED_AUDIT_PAUSES = 30

/**
 * Tries one audit. Returns why it failed; null where it did not, or where there is nothing to ask.
 */
const auditOnce = ({ audits }: LateOptions, { balances }: Pinning, token: string) =>
  Effect.gen(function* () {
    const audit = audits.begin(token)
    if (audit === null) return null
    const { at, holders } = audit
    const balancesRead = Effect.result(balances(token, holders, at.number))
    const answer = yield* Effect.timeoutOption(balancesRead, MAX_ANSWER_MS)
    const where = `balances of block ${at.number} could not be read`
    if (Option.isNone(answer)) return `${where}: no answer within ${MAX_ANSWER_MS / 1_000} s`
    const outcome = answer.value
    if (outcome._tag === "Failure") {
      if (outcome.failure.fatal) return yield* Effect.fail(new SourceError(outcome.failure))
      return `${where}: ${outcome.failure.message}`
    }
    const reading = outcome.success
    if (reading.state === "untold") return `${where}: ${reading.reason}`
    if (reading.hash !== at.hash) return `${where}: the node has another block`
    audits.take(audit, reading.balances)
    return null
  })

/** Audits the holders of all pinned tokens of which the log holds all transfers, for ever. */
export const auditPins = (options: LateOptions) =>
  Effect.gen(function* () {
    const { audits, pins, source } = options
    const { pinning } = source
    if (pinning === null) return yield* Effect.never
    const pause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const dueAt = new Map<string, number>()
    for (;;) {
      yield* Effect.sleep(Math.min(LOOK_MS, pause))
      const now = yield* steadyMillis
      for (const token of audits.takeTold()) dueAt.set(token, now + pause * AUDIT_PAUSES)
      const due = pins.pins.find(pin => now >= (dueAt.get(pin.token) ?? 0) && isComplete(pin))
      if (due === undefined) continue
      const { token } = due
      const problem = yield* auditOnce(options, pinning, token)
      if (problem === null) audits.problems.delete(token)
      else audits.problems.set(token, problem)
      dueAt.set(token, now + pause * FAILED_AUDIT_PAUSES)
    }
  })
