/**
 * What sources of a lane have counted since the engine began: one that is started again begins at
 * nothing, and knows nothing of what the one before it warned of.
 */
import type { DecodeStatus, EndpointStatus, SourceStatus, Warned } from "../../streams/source.ts"
import { WARNINGS_KEPT } from "../../streams/status-board.ts"

type Counts = { readonly [key: string]: number }

/** The sums of numbers by their names, of one or of both. */
const added = <C extends Counts>(before: C, now: C): C => {
  const sums: { [key: string]: number } = { ...before }
  for (const [key, value] of Object.entries(now)) sums[key] = (sums[key] ?? 0) + value
  return sums as C
}

/** Rows of both, with the numbers of those added up that are of one name. */
const merged = <R>(
  before: ReadonlyArray<R>,
  now: ReadonlyArray<R>,
  nameOf: (row: R) => string | number,
  add: (a: R, b: R) => R
): ReadonlyArray<R> => {
  const rows = new Map(before.map(row => [nameOf(row), row]))
  for (const row of now) {
    const known = rows.get(nameOf(row))
    rows.set(nameOf(row), known === undefined ? row : add(known, row))
  }
  return [...rows.values()]
}

/** An endpoint as it fares now; one that is asked in two ways stands there twice, by its place. */
const endpointSince = (before: EndpointStatus | undefined, now: EndpointStatus): EndpointStatus =>
  before === undefined || before.endpoint !== now.endpoint
    ? now
    : {
        ...now,
        calls: before.calls + now.calls,
        errors: before.errors + now.errors,
        wrongAnswers: before.wrongAnswers + now.wrongAnswers,
        methods: merged(
          before.methods,
          now.methods,
          ({ method }) => method,
          (a, b) => ({ ...b, calls: a.calls + b.calls, errors: a.errors + b.errors })
        )
      }

const decodeSince = (
  before: DecodeStatus | null,
  now: DecodeStatus | null
): DecodeStatus | null => {
  if (before === null || now === null) return now ?? before
  return {
    venues: merged(
      before.venues,
      now.venues,
      ({ number }) => number,
      ({ number: _, ...told }, { number, ...counts }) => ({ number, ...added(told, counts) })
    ),
    untold: before.untold + now.untold,
    orphaned: before.orphaned + now.orphaned,
    auditCursor: now.auditCursor ?? before.auditCursor
  }
}

/** What earlier sources warned of, until the block after which each is told no more. */
const warnedSince = (before: SourceStatus, now: SourceStatus): ReadonlyArray<Warned> => {
  const reached = now.emittedBlock ?? before.emittedBlock ?? 0
  const kinds = new Set(now.warned.flatMap(({ kind }) => kind ?? []))
  const open = before.warned.filter(
    ({ untilBlock, kind }) => reached < untilBlock && (kind === null || !kinds.has(kind))
  )
  return [...open, ...now.warned].slice(-WARNINGS_KEPT)
}

/**
 * Returns the status of a source with what those before it counted and warned of.
 *
 * @param before what the last one told in the end, with those before it; null for the first source
 */
export const sinceStart = (before: SourceStatus | null, now: SourceStatus): SourceStatus => {
  if (before === null) return now
  const warned = warnedSince(before, now)
  const lasting = new Set(now.warned.map(({ text }) => text))
  const isReorged = now.lastReorgDepth !== null
  return {
    ...now,
    logs: before.logs + now.logs,
    quarantined: before.quarantined + now.quarantined,
    retries: before.retries + now.retries,
    reorgs: before.reorgs + now.reorgs,
    lastReorgDepth: now.lastReorgDepth ?? before.lastReorgDepth,
    lastReorgRecoveryMs: isReorged ? now.lastReorgRecoveryMs : before.lastReorgRecoveryMs,
    grades: added(before.grades, now.grades),
    senders: added(before.senders, now.senders),
    endpoints: now.endpoints.map((one, at) => endpointSince(before.endpoints[at], one)),
    decode: decodeSince(before.decode, now.decode),
    repairs: now.repairs && {
      ...now.repairs,
      filled: (before.repairs?.filled ?? 0) + now.repairs.filled,
      tries: (before.repairs?.tries ?? 0) + now.repairs.tries
    },
    warnings: [
      ...warned.map(({ text }) => text),
      ...now.warnings.filter(text => !lasting.has(text))
    ],
    warned
  }
}
