/**
 * Compares holders of pinned tokens with what their contracts say: as soon as the log holds all of
 * a token's transfers, and again every so often. Tokens that change balances without a transfer are
 * found out so. One token at a time, some addresses of it, in one go.
 */
import { Clock, Effect, Option } from "effect"
import { type Pinning, SourceError } from "../../streams/source.ts"
import type { LateOptions } from "./late-log.ts"
import { isComplete } from "./pin-ledger.ts"

const FIRST_PAUSE_MS = 1_000
const LOOK_MS = 500
const ANSWER_MS = 30_000
/** Between two audits of a token, and after one that came to nothing, in first pauses. */
const EVERY_PAUSES = 3_600
const UNTOLD_PAUSES = 30

/** One audit; why there could be none, null where it was told or nobody is to be asked about. */
const auditOnce = ({ audits }: LateOptions, { balances }: Pinning, token: string) =>
  Effect.gen(function* () {
    const audit = audits.begin(token)
    if (audit === null) return null
    const { at, holders } = audit
    const asked = Effect.result(balances(token, holders, at.number))
    const answer = yield* Effect.timeoutOption(asked, ANSWER_MS)
    const where = `balances of block ${at.number} could not be read`
    if (Option.isNone(answer)) return `${where}: no answer within ${ANSWER_MS / 1_000} s`
    const outcome = answer.value
    if (outcome._tag === "Failure") {
      if (outcome.failure.fatal) return yield* Effect.fail(new SourceError(outcome.failure))
      return `${where}: ${outcome.failure.message}`
    }
    const told = outcome.success
    if (told.state === "untold") return `${where}: ${told.reason}`
    if (told.hash !== at.hash) return `${where}: the node has another block`
    audits.take(audit, told.balances)
    return null
  })

/** Audits the holders of all pinned tokens whose transfers are all there, for ever. */
export const auditPins = (options: LateOptions) =>
  Effect.gen(function* () {
    const { audits, pins, source } = options
    const { pinning } = source
    if (pinning === null) return yield* Effect.never
    const pause = options.firstPauseMs ?? FIRST_PAUSE_MS
    const dueAt = new Map<string, number>()
    for (;;) {
      yield* Effect.sleep(Math.min(LOOK_MS, pause))
      const now = yield* Clock.currentTimeMillis
      for (const token of audits.takeTold()) dueAt.set(token, now + pause * EVERY_PAUSES)
      const due = pins.pins.find(pin => now >= (dueAt.get(pin.token) ?? 0) && isComplete(pin))
      if (due === undefined) continue
      const { token } = due
      const problem = yield* auditOnce(options, pinning, token)
      if (problem === null) audits.problems.delete(token)
      else audits.problems.set(token, problem)
      dueAt.set(token, now + pause * UNTOLD_PAUSES)
    }
  })
