/** Smart traders of whom the tape has other swaps than were summed: counted, and not shown. */
import { Effect } from "effect"
import { expect, it } from "vitest"
import { rowsName } from "../../../engine/store/table.ts"
import { tapeTable } from "../../../projections/tape/tables.ts"
import { walletSwapsTable } from "../../../projections/wallet-swaps/tables.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import type { Body } from "../../../test/support/api-server.ts"
import { foldLog } from "../../../test/support/folded-lane.ts"
import {
  eventsOf,
  logOf,
  mintOf,
  type Planted,
  pooled,
  poolOf,
  walletOf
} from "../../../test/support/planted-swaps.ts"
import { sealed, seen, swap, USDC } from "../../../test/support/small-solana.ts"

const [HOUR, DAY] = [3_600, 86_400]
const NOW = 20_000 * DAY + 12 * HOUR
const START = NOW - 3 * DAY
const [WHOLE, LACKING] = [walletOf(1), walletOf(2)]

/** Buys five tokens an hour apart for a thousand dollars each, and sells them dearer. */
const rounds = (wallet: string, from: number, tokens: ReadonlyArray<number>, soldUsd: number) =>
  tokens.flatMap((token, i): ReadonlyArray<Planted> => {
    const time = from + i * 2 * HOUR
    return [
      { time, wallet, token, amount: 100, dollars: 1_000 },
      { time: time + HOUR, wallet, token, amount: -100, dollars: soldUsd }
    ]
  })

const tokens = Array.from({ length: 10 }, (_, i) => i)
const events = [
  seen(START, USDC),
  ...tokens.flatMap(token => pooled(START, token)),
  ...tokens.map((token, i) =>
    swap({ time: START + 1, by: null, tokens: 1, dollars: 10, pool: poolOf(token), logIndex: i })
  ),
  ...eventsOf([
    ...rounds(WHOLE, START + HOUR, tokens.slice(0, 5), 1_300),
    ...rounds(LACKING, START + HOUR + 60, tokens.slice(5), 1_400)
  ]),
  sealed(NOW)
]

it("counts candidates as not read whose sums have a swap that the tape lacks", () =>
  Effect.gen(function* () {
    const lane = yield* foldLog(solana, logOf(events))
    const board = () =>
      Effect.map(lane.ask("smartTraders", { days: 7 }), ({ checked, traders }: Body) => ({
        ...checked,
        wallets: traders.map(({ wallet, bestToken }: Body) => [wallet, bestToken.token])
      }))
    const reason = "the swaps that were read are not as many as the wallet's sums count"
    const none = { cadence: 0, sniper: 0, burst: 0, sameslot: 0, arb: 0, scalp: 0, launch: 0 }
    const rest = { candidates: 2, flags: none, suspect: 0, ineligible: 0, clustered: 0 }
    expect(yield* board()).toEqual({
      ...{ ...rest, kept: 2, readErrors: 0, readProblem: null },
      wallets: [
        [LACKING, mintOf(5)],
        [WHOLE, mintOf(0)]
      ]
    })
    // the index has the last buy of the second wallet once more, and the tape does not
    const index = rowsName(walletSwapsTable)
    yield* lane.connection.run(
      `INSERT INTO ${index} SELECT * FROM ${walletSwapsTable.name}_tail WHERE seq =
         (SELECT max(seq) - 2 FROM ${rowsName(tapeTable)})`
    )
    expect(yield* board()).toEqual({
      ...{ ...rest, kept: 1, readErrors: 1, readProblem: reason },
      wallets: [[WHOLE, mintOf(0)]]
    })
  }).pipe(Effect.scoped, Effect.runPromise))
