/** Events of Solana that a test writes by hand: one mint against a dollar, in one pool. */

import { toBase58 } from "../../src/domain/base58.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import type { Event } from "../../streams/event.ts"

/** An account of one byte, 32 times. */
export const accountOf = (byte: number): string => toBase58(new Uint8Array(32).fill(byte))

/** Of six decimals, as the dollar has. */
export const MINT = accountOf(0xa1)
export const USDC: string = solana.anchors[0]?.address ?? ""
export const POOL = accountOf(0xb1)
const UNIT = 1_000_000

/** An amount of whole tokens or dollars, in raw units. */
export const raw = (whole: number): bigint => BigInt(Math.round(whole * UNIT))

const hashOf = (number: number): string => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(28, number)
  return toBase58(bytes)
}

/** A fact of the block at this time, whose number is the time; `by` paid for its transaction. */
export const told = (time: number, logIndex: number, by: string | null, fact: object): Event => {
  const block = { number: time, time, hash: hashOf(time), parentHash: hashOf(time - 1) }
  const hash = toBase58(new Uint8Array(64).fill(1 + (logIndex % 250)))
  return { block, tx: { hash, index: 0, from: by, to: null }, logIndex, ...fact } as Event
}

export const seen = (time: number, token: string, decimals: number | null = 6): Event => ({
  ...told(time, 0, null, {
    ...{ kind: "TokenSeen", token, symbol: "T", name: "T", decimals },
    ...{ totalSupply: null, source: "call" }
  }),
  tx: null
})

/** A pool of a venue; `source` says whether the log has its making. */
export const created = (
  time: number,
  pool: string,
  tokens: readonly [string, string],
  source: "log" | "call" = "call"
): Event =>
  told(time, 1, accountOf(0xee), {
    ...{ kind: "PoolCreated", pool, venueKind: "raydium-cpmm" },
    ...{ factory: solana.venues[2]?.factory ?? null, tokens, fee: 2500, tickSpacing: null, source }
  })

/** What a log begins with. */
export const opening = (time: number): ReadonlyArray<Event> => [
  seen(time, MINT),
  seen(time, USDC),
  created(time, POOL, [MINT, USDC])
]

export interface SmallSwap {
  readonly time: number
  readonly logIndex?: number
  /** null: nobody knows */
  readonly by: string | null
  /** whole tokens that the trader got; negative: gave */
  readonly tokens: number
  readonly dollars: number
  readonly pool?: string
}

export const swap = ({
  time,
  logIndex = 2,
  by,
  tokens,
  dollars,
  pool = POOL
}: SmallSwap): Event => {
  const [amount, paid] = [raw(Math.abs(tokens)), raw(dollars)]
  const [isBuy, none] = [tokens > 0, 0n]
  const fact = {
    ...{ kind: "SwapExecuted", pool, venueKind: "raydium-cpmm", sender: by, recipient: by },
    ...{ amount0In: isBuy ? none : amount, amount0Out: isBuy ? amount : none },
    ...{ amount1In: isBuy ? paid : none, amount1Out: isBuy ? none : paid },
    ...{ sqrtPriceX96: null, liquidity: null, tick: null, fee: null },
    ...{ token0: null, token1: null, index0: null, index1: null }
  }
  const one = told(time, logIndex, by, fact)
  return by === null ? { ...one, tx: null } : one
}

/** The pool holds so many whole tokens and dollars now. */
export const reserves = (time: number, tokens: number, dollars: number, pool = POOL): Event =>
  told(time, 1, null, {
    ...{ kind: "ReservesSynced", pool, reserve0: raw(tokens), reserve1: raw(dollars) }
  })

/** Somebody added (negative: removed) whole tokens and dollars. */
export const liquidity = (
  time: number,
  owner: string | null,
  tokens: number,
  dollars: number,
  pool = POOL,
  logIndex = 3
): Event =>
  told(time, logIndex, owner, {
    ...{ kind: "LiquidityChanged", pool, venueKind: "raydium-cpmm", owner, sender: owner },
    ...{ tickLower: null, tickUpper: null, liquidity: null },
    ...{ amount0: raw(tokens), amount1: raw(dollars) }
  })

export const sealed = (time: number): Event => ({
  ...told(time, 0, null, { kind: "BlockSealed", logs: 1, grade: "file" }),
  tx: null
})

/** Events in blocks, one a second of theirs, in the order of time. */
export const blocksOf = (events: ReadonlyArray<Event>): ReadonlyArray<ReadonlyArray<Event>> => {
  const times = [...new Set(events.map(({ block }) => block.time))].sort((a, b) => a - b)
  return times.map(time => events.filter(({ block }) => block.time === time))
}
