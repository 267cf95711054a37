/** What a creator puts into a pool with its creation: liquidity beside the creation. */
import { expect, it } from "vitest"
import {
  A,
  B,
  created,
  liquidity,
  madeCall,
  madeEvent,
  OWNER,
  POOL,
  toldOf
} from "./made-pool-events.ts"
import type { MadeInstruction } from "./made-transaction.ts"
import { meteoraDammV2 } from "./meteora-damm-v2/venue.ts"
import { pumpswap } from "./pumpswap/venue.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"

const deposit = liquidity(7n, 8n, { position: null, before: [0n, 0n] })

/** `initialize2`, with its log of so many bytes. */
const initialized = (bytes: number) => {
  const calling = madeCall(raydiumAmmV4, "01", { 4: POOL, 8: A, 9: B, 17: OWNER, 20: "lp" })
  return madeEvent(
    raydiumAmmV4,
    "00",
    bytes,
    [
      [27, 8n],
      [35, 7n]
    ],
    calling
  )
}

/** Amounts without transfer fees at a place, and larger ones with them behind. */
const initializedAmm2 = (bytes: number, dynamicFee: 0 | 1, at: number) =>
  madeEvent(meteoraDammV2, "e432f655cb428625", bytes, [
    [8, POOL],
    [40, A],
    [72, B],
    [104, OWNER],
    [200, 2_500_000n],
    [230, dynamicFee, 1],
    [at, 7n],
    [at + 8, 8n],
    [at + 16, 9n],
    [at + 24, 9n]
  ])

const rows: ReadonlyArray<readonly [string, MadeInstruction, object]> = [
  ["Init", initialized(75), created()],
  [
    "CreatePoolEvent",
    madeEvent(pumpswap, "b1310cd2a076a774", 333, [
      [18, OWNER],
      [50, A],
      [82, B],
      [116, 7n],
      [124, 8n],
      [173, POOL]
    ]),
    created()
  ],
  ["EvtInitializePool", initializedAmm2(340, 0, 307), created({ fee: 2_500 })],
  ["EvtInitializePool", initializedAmm2(372, 1, 339), created({ fee: 2_500 })]
]

it.each(rows)("%s", (name, instruction, facts) => {
  const told = [
    [name, facts],
    [name, deposit]
  ]
  expect(toldOf(instruction)).toEqual({ told, refused: [] })
})

it("is not told of an event that ends before its amounts", () => {
  const short = initializedAmm2(324, 0, 291)
  const told = [["EvtInitializePool", created({ fee: 2_500 })]]
  expect(toldOf(short)).toEqual({ told, refused: [] })
})
