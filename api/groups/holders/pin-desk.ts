/**
 * Pins tokens whose holders a request asks for. A pin makes the source read the token's whole past,
 * so requests may pin a limited number of a chain's tokens, and few per hour on a public server.
 */

import { Clock, Context, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import { PINS_AN_HOUR } from "../../../src/platform/api-config.ts"
import { hasPassed } from "../../../src/platform/elapsed.ts"
import type { SourceStatus } from "../../../streams/source.ts"
import { Refusal } from "../../errors.ts"

const unavailable = (message: string): Refusal =>
  new Refusal({ status: 503, code: "HOLDERS_UNAVAILABLE", message })

const pending = (lane: Lane, token: string): Refusal => {
  const problem = lane.status().source?.pins.find(pin => pin.token === token)?.problem ?? null
  const what = `transfers of ${token} on chain ${lane.config.id} are being gathered`
  const then = problem ?? "some are told from the next blocks on, all once its past is read"
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

/** Returns why a lane's source cannot read a token's transfers; null where it can. */
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

/** Limits of pins by requests. */
export interface PinRules {
  /** a request pins a token only where its chain has fewer pins */
  readonly most: number
  /** most pins of a chain by requests within an hour; null: no limit for requests from this
   *  machine, `PINS_AN_HOUR` for others */
  readonly perHour: number | null
}

/** The sender of a request for a pin, as far as the request shows. */
export interface PinCaller {
  /** `anonymous`: a proxy passed the request on; `local`: no proxy did, so the request is from this
   *  machine where only this machine reaches the server */
  readonly kind: "anonymous" | "local"
}

const FORWARDED = ["x-forwarded-for", "forwarded", "x-real-ip"]

/** Returns the sender of a request by its headers; a proxy's request may be anybody's. */
export const callerOf = (headers: { readonly [name: string]: string | undefined }): PinCaller => ({
  kind: FORWARDED.some(name => headers[name] !== undefined) ? "anonymous" : "local"
})

export type Permission = { readonly may: true } | { readonly may: false; readonly why: Refusal }

const HOUR_MS = 3_600_000
const MAY: Permission = { may: true }

/**
 * Returns whether a caller may pin one more token of a chain, or the refusal. `pinned` counts the
 * chain's pins; `times` are those of pins by requests (Unix milliseconds, ascending).
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
  const recent = times.filter(time => !hasPassed(time, now, HOUR_MS))
  if (recent.length < perHour) return MAY
  const oldest = recent[recent.length - perHour]
  const message =
    `requests may have ${perHour} tokens of chain ${chain} tracked an hour (HOLDER_PINS_PER_HOUR), ` +
    `and had: ask again later, or set PIN_${chain}`
  const wait = oldest === undefined ? HOUR_MS : oldest + HOUR_MS - now
  const retrySeconds = Math.ceil(wait / 1_000)
  return { may: false, why: new Refusal({ ...unavailable(message), message, retrySeconds }) }
}

/** Tokens of one chain that requests pinned, and when; the lane's status shows them a bit later. */
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
    const before = this.asked.get(config.key)
    if (before !== undefined) return before
    const made: Asked = { tokens: new Set(), times: [] }
    this.asked.set(config.key, made)
    return made
  }

  /** Pins a token on its lane once; returns the answer meanwhile, or why no pin was made. */
  pin(lane: Lane, token: string, caller: PinCaller): Effect.Effect<Refusal> {
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
