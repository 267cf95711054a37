/**
 * Pins tokens for whoever asks for their holders. A pin is never taken back and costs its token's
 * whole past, so only so many of a chain's tokens come to be pinned by requests.
 */
import { Context, Effect } from "effect"
import type { Lane } from "../../../engine/lane/lanes.ts"
import type { Address } from "../../../src/domain/address.ts"
import type { SourceStatus } from "../../../streams/source.ts"
import { Refusal } from "../../errors.ts"

const unavailable = (message: string): Refusal =>
  new Refusal({ status: 503, code: "HOLDERS_UNAVAILABLE", message })

const pending = (lane: Lane, token: string): Refusal => {
  const what = `transfers of ${token} on chain ${lane.config.id} are being gathered`
  const message = `${what}: retry in a few minutes; /v1/status tells how far they are (pins)`
  return new Refusal({ status: 503, code: "HOLDERS_PENDING", message })
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

export class PinDeskState {
  private readonly limit: number
  /** what was asked for here; the lane's status tells of it some moments later */
  private readonly asked = new Map<string, Set<string>>()

  constructor(limit: number) {
    this.limit = limit
  }

  private askedOf({ config }: Lane): Set<string> {
    const found = this.asked.get(config.key)
    if (found !== undefined) return found
    const made = new Set<string>()
    this.asked.set(config.key, made)
    return made
  }

  /** Asks the lane for a token's transfers; what to answer meanwhile, or why it was not asked. */
  pin(lane: Lane, token: Address): Effect.Effect<Refusal> {
    return Effect.suspend(() => {
      const asked = this.askedOf(lane)
      const { source } = lane.status()
      const known = new Set([...asked, ...(source?.pins ?? []).map(pin => pin.token)])
      if (known.has(token)) return Effect.succeed(pending(lane, token))
      const reason = whyNot(lane, source)
      if (reason !== null) return Effect.succeed(unavailable(reason))
      if (known.size >= this.limit) {
        const many = `${known.size} tokens of chain ${lane.config.id} are tracked already`
        const message = `${many}, and requests may add none beyond ${this.limit} (HOLDER_PINS)`
        return Effect.succeed(unavailable(message))
      }
      asked.add(token)
      return lane.pin(token).pipe(
        Effect.as(pending(lane, token)),
        Effect.catch(({ message }) => {
          asked.delete(token)
          return Effect.succeed(unavailable(message))
        })
      )
    })
  }
}

export class PinDesk extends Context.Service<PinDesk, PinDeskState>()("swaptape/api/PinDesk") {}
