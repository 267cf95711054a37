/** Events of launches written by hand or drawn, and what they should fold to, reckoned apart. */
import type { Address } from "../../src/domain/address.ts"
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Event } from "../../streams/event.ts"
import { testChain } from "./chain-config.ts"
import type { Random } from "./seed.ts"

export const hex = (label: number, bytes: number): string =>
  `0x${label.toString(16).padStart(bytes * 2, "0")}`

const LISTED = testChain.venues[0]?.factory ?? ""
const UNLISTED = hex(0xdead, 20)
export const ROUTER = hex(0xaaaa, 20)
const USD: string = testChain.anchors[0]?.address ?? ""
const WRAPPED: string = testChain.anchors[1]?.address ?? ""

/** The test chain with a router. */
export const launchChain: ChainConfig = { ...testChain, routers: [ROUTER as Address] }

const ENTRY_POINT = "0x0000000071727de22e5e9d8baf0edac6f37da032"

/** Draws blocks of pools being made and told of; few tokens, so that they have several pools. */
export class LaunchScript {
  private readonly r: Random
  /** pools by number: whose claims may be confirmed later */
  private readonly told: Array<{ readonly pool: number; readonly tokens: ReadonlyArray<string> }> =
    []
  private pools = 0

  constructor(r: Random) {
    this.r = r
  }

  private created(
    block: Event["block"],
    logIndex: number,
    pool: number,
    tokens: ReadonlyArray<string>,
    how: { readonly source: string; readonly listed: boolean }
  ): Event {
    const { r } = this
    const from = hex(0x1000 + r.integer(0, 3), 20)
    const to = r.pick([null, from, ROUTER, ENTRY_POINT, LISTED, hex(0x2000 + r.integer(0, 3), 20)])
    const isLog = how.source === "log"
    const tx = { hash: hex(block.number * 100 + logIndex, 32), index: logIndex, from, to }
    return {
      ...{ kind: "PoolCreated", block, logIndex: isLog ? logIndex : 0 },
      tx: isLog && r.boolean(0.9) ? tx : null,
      ...{ pool: hex(0x9_0000 + pool, 20), venueKind: "uniswap-v2" },
      ...{ factory: how.listed ? LISTED : UNLISTED, tokens, fee: 3000, tickSpacing: null },
      source: how.source
    } as Event
  }

  private tokens(): ReadonlyArray<string> {
    const { r } = this
    const one = hex(0x5_0000 + r.integer(0, 40), 20)
    const other = r.pick([USD, WRAPPED, hex(0x5_0000 + r.integer(0, 40), 20)])
    return r.boolean() ? [one, other] : [other, one]
  }

  /** The events of a block; of another branch at the same height they differ. */
  block(number: number, branch: string): ReadonlyArray<Event> {
    const { r } = this
    const label = number * 10 + branch.length
    const block = {
      ...{ number, time: 1_700_000_000 + number * 7 },
      ...{ hash: hex(label, 32), parentHash: null }
    }
    const events: Array<Event> = []
    const count = r.integer(0, 6)
    for (let i = 0; i < count; i++) {
      const old = this.told.length > 0 && r.boolean(0.3) ? r.pick(this.told) : undefined
      const pool = old?.pool ?? this.pools++
      const tokens = old?.tokens ?? this.tokens()
      if (old === undefined) this.told.push({ pool, tokens })
      const how = { source: r.pick(["log", "log", "log", "call"]), listed: r.boolean(0.6) }
      events.push(this.created(block, i, pool, tokens, how))
    }
    events.push({
      ...{ kind: "BlockSealed", block, tx: null, logIndex: 0, logs: count, grade: "bloom" }
    } as Event)
    return events
  }
}

/** What a token's launch should be. */
export interface Expected {
  readonly token: string
  /** `block:logIndex` of the first pool's making; null where it was there before */
  first: string | null
  listed: string | null
  wallet: string | null
  contract: string | null
}

interface Made {
  readonly at: string
  readonly wallet: string | null
  readonly contract: string | null
  isClaim: boolean
}

const madeBy = (event: Event): Made => {
  const { tx, block, logIndex } = event
  const at = `${block.number}:${logIndex}`
  const nobody = { at, wallet: null, contract: null, isClaim: false }
  if (tx === null || tx.to === ENTRY_POINT) return nobody
  const isShared = tx.to === null || tx.to === ROUTER || tx.to === LISTED || tx.to === tx.from
  return { at, wallet: tx.from, contract: isShared ? null : tx.to, isClaim: false }
}

/** Launches of effective events, by rules said once more in another way. */
export const expectedLaunches = (events: ReadonlyArray<Event>): ReadonlyArray<Expected> => {
  const made = new Map<string, Made>()
  const found = new Map<string, Expected>()
  for (const event of events) {
    if (event.kind !== "PoolCreated") continue
    const tokens = event.tokens.filter(token => token !== USD && token !== WRAPPED)
    const isListed = event.factory === LISTED
    const isLog = event.source === "log"
    let of = made.get(event.pool)
    let counts: boolean
    if (of === undefined && isLog) {
      of = { ...madeBy(event), isClaim: !isListed }
      made.set(event.pool, of)
      counts = isListed
    } else if (of === undefined) {
      if (!isListed) continue
      for (const token of tokens) {
        const row = found.get(token)
        if (row === undefined) {
          found.set(token, { token, first: null, listed: null, wallet: null, contract: null })
        } else Object.assign(row, { first: null, wallet: null, contract: null })
      }
      continue
    } else {
      counts = of.isClaim && !(isLog && !isListed)
      if (counts) of.isClaim = false
    }
    if (!counts) continue
    const { at, wallet, contract } = of
    for (const token of tokens) {
      const row = found.get(token)
      if (row === undefined) {
        found.set(token, { token, first: at, listed: isListed ? at : null, wallet, contract })
      } else if (isListed) row.listed ??= at
    }
  }
  return [...found.values()]
}
