/**
 * Pins tokens for whoever asks for their holders. A pin costs its token's whole past, so only so
 * many of a chain's tokens come to be pinned by requests, and few in an hour where anybody may ask.
 */
import { Clock, Context, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { Address } from "../../../src/domain/address.ts"
import { PINS_AN_HOUR } from "../../../src/platform/api-config.ts"
import type { SourceStatus } from "../../../streams/source.ts"
import { Refusal } from "../../errors.ts"

const unavailable = (message: string): Refusal =>
  new Refusal({ status: 503, code: "HOLDERS_UNAVAILABLE", message })

const pending = (lane: Lane, token: string): Refusal => {
  const problem = lane.status().source?.pins.find(pin => pin.token === token)?.problem ?? null
  const what = `transfers of ${token} on chain ${lane.config.id} are being gathered`
  const then = problem ?? "retry in a few minutes"
  const message = `${what}: ${then}; /v1/status tells how far they are (pins)`
  return new Refusal({ status: 503, code: "HOLDERS_PENDING", message })
}

const takenBack = (lane: Lane, token: string): Refusal => {
  const { id } = lane.config
  return unavailable(
    `${token} on chain ${id} was pinned once, and whoever runs this engine took that back: ` +
      `only PIN_${id} has its transfers gathered again`
  )
}

/** Why a lane's source cannot be asked for transfers; null where it can. */
const whyNot = (lane: Lane, source: SourceStatus | null): string | null => {
  const { id } = lane.config
  if (lane.status().state === "history") {
    return `chain ${id} is served as its log stands, which holds no transfers of this token: replay its files with --pin`
  }
  if (source === null) return `no source of chain ${id} runs that could read transfers`
  return source.kind === "file"
    ? `chain ${id} is read from files, which hold transfers of the tokens they were read for`
    : null
}

/** What requests may do. */
export interface PinRules {
  /** tokens a chain may have pinned for a request to pin one more */
  readonly most: number
  /** pins by requests within an hour; null where only this machine reaches the server, whose own
   *  requests have no such limit */
  readonly perHour: number | null
}

/** Who asks for a pin. No caller is known by more than that he asks, and from where. */
export interface PinCaller {
  /** `local`: it came from this machine, if only this machine reaches the server */
  readonly kind: "anonymous" | "local"
}

const FORWARDED = ["x-forwarded-for", "forwarded", "x-real-ip"]

/** Whose request it is: one that a proxy passed on may be anybody's. */
export const callerOf = (headers: { readonly [name: string]: string | undefined }): PinCaller => ({
  kind: FORWARDED.some(name => headers[name] !== undefined) ? "anonymous" : "local"
})

export type Permission = { readonly may: true } | { readonly may: false; readonly why: Refusal }

const HOUR_MS = 3_600_000
const MAY: Permission = { may: true }

/**
 * Whether a caller may have one more token of a chain pinned now, where `pinned` are already and
 * requests had some pinned at `times` (Unix milliseconds, ascending).
 */
export const mayPin = (
  { most, perHour: told }: PinRules,
  { kind }: PinCaller,
  chain: number,
  pinned: number,
  times: ReadonlyArray<number>,
  now: number
): Permission => {
  if (pinned >= most) {
    const many = `${pinned} tokens of chain ${chain} are tracked already`
    const message = `${many}, and requests may add none beyond ${most} (HOLDER_PINS)`
    return { may: false, why: unavailable(message) }
  }
  if (told === null && kind === "local") return MAY
  const perHour = told ?? PINS_AN_HOUR
  const recent = times.filter(time => now - time < HOUR_MS)
  if (recent.length < perHour) return MAY
  const oldest = recent[recent.length - perHour]
  const message =
    `requests may have ${perHour} tokens of chain ${chain} tracked an hour (HOLDER_PINS_PER_HOUR), ` +
    `and had: ask again later, or set PIN_${chain}`
  const wait = oldest === undefined ? HOUR_MS : oldest + HOUR_MS - now
  const retrySeconds = Math.ceil(wait / 1_000)
  return { may: false, why: new Refusal({ ...unavailable(message), message, retrySeconds }) }
}

/** What requests asked for of one chain; the lane's status tells of it some moments later. */
interface Asked {
  readonly tokens: Set<string>
  readonly times: Array<number>
}

export class PinDeskState {
  private readonly rules: PinRules
  private readonly asked = new Map<string, Asked>()

  constructor(rules: PinRules) {
    this.rules = rules
  }

  private askedOf({ config }: Lane): Asked {
    const found = this.asked.get(config.key)
    if (found !== undefined) return found
    const made: Asked = { tokens: new Set(), times: [] }
    this.asked.set(config.key, made)
    return made
  }

  /** Asks the lane for a token's transfers; what to answer meanwhile, or why it was not asked. */
  pin(lane: Lane, token: Address, caller: PinCaller): Effect.Effect<Refusal> {
    return Effect.gen({ self: this }, function* () {
      const { tokens, times } = this.askedOf(lane)
      const { source } = lane.status()
      const pins = source?.pins ?? []
      const gone = pins.filter(({ state }) => state === "unpinned").map(pin => pin.token)
      for (const unpinned of gone) tokens.delete(unpinned)
      if (gone.includes(token)) return takenBack(lane, token)
      const known = new Set([...tokens, ...pins.map(pin => pin.token)])
      for (const unpinned of gone) known.delete(unpinned)
      if (known.has(token)) return pending(lane, token)
      const reason = whyNot(lane, source)
      if (reason !== null) return unavailable(reason)
      const now = yield* Clock.currentTimeMillis
      const { id } = lane.config
      const permission = mayPin(this.rules, caller, id, known.size, times, now)
      if (!permission.may) return permission.why
      tokens.add(token)
      times.push(now)
      return yield* lane.pin(token).pipe(
        Effect.as(pending(lane, token)),
        Effect.catch(({ message }) => {
          tokens.delete(token)
          times.pop()
          return Effect.succeed(unavailable(message))
        })
      )
    })
  }
}

export class PinDesk extends Context.Service<PinDesk, PinDeskState>()("swaptape/api/PinDesk") {}
