/** A real token's holders: every transfer that somebody's scanner saw, and what it made of them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { Effect } from "effect"
import { beforeAll, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import { WHOLE } from "../../test/support/asked-holders.ts"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { openLaneWith, sealed } from "../../test/support/small-lane.ts"
import { holdersProjection } from "./projection.ts"

const TOKEN = "0x970a341b4e311a5c7248dc9c3d8d4f35fedfa73e"
const CREATED = 23_970_798
const NOBODY = `0x${"0".repeat(40)}`
const DEAD = `0x${"0".repeat(36)}dead`
const SUPPLY = 5_000_000_000n * 10n ** 18n

const files = {
  transfers: "evm/holders/eth-hls-transfers.jsonl.gz",
  balances: "evm/holders/eth-hls-net-balances.csv.gz",
  board: "evm/holders/eth-hls-holders-export.csv.gz"
}

const linesOf = (path: string): ReadonlyArray<string> =>
  gunzipSync(readFileSync(join(sharedData, path)))
    .toString("utf8")
    .split("\n")
    .filter(line => line !== "")

interface Transfer {
  readonly blockNumber: number
  readonly transactionHash: string
  readonly from: string
  readonly to: string
  readonly value: string
}

const eventsOf = (transfers: ReadonlyArray<Transfer>): ReadonlyArray<Event> => {
  const at = (number: number, fact: object, hash: string | null = null): Event => {
    const tx = hash === null ? null : { hash, index: 0, from: null, to: null }
    const block = { number, time: number, hash: null, parentHash: null }
    return { block, tx, logIndex: 0, ...fact } as Event
  }
  const last = transfers.at(-1)?.blockNumber ?? 0
  const fact = { symbol: "HLS", name: "Helios", decimals: 18, totalSupply: SUPPLY, source: "call" }
  const filled = { fromBlock: CREATED, toBlock: last, reach: "creation", grade: "root" }
  return [
    ...transfers.map(({ blockNumber, transactionHash, from, to, value }) => {
      const moved = {
        kind: "TransferSeen",
        token: TOKEN,
        from,
        to,
        amount: BigInt(value),
        wrap: null
      }
      return at(blockNumber, moved, transactionHash)
    }),
    at(last, { kind: "TransfersFilled", token: TOKEN, ...filled }),
    at(last + 1, { kind: "TokenSeen", token: TOKEN, ...fact }),
    at(last + 1, { kind: "TokenPinned", token: TOKEN }),
    sealed(last + 1, "root")
  ]
}

interface Answer {
  readonly top: ReadonlyArray<{
    readonly holder: string
    readonly balance: string
    readonly sharePct: number
    readonly kind: string
  }>
  readonly concentration: { readonly [top: string]: number }
  readonly walletConcentration: { readonly [top: string]: number }
  readonly [field: string]: unknown
}

describeWithSharedData("holders of a real token", Object.values(files), () => {
  let answer: Answer
  let truth: Map<string, bigint>

  beforeAll(async () => {
    const transfers = linesOf(files.transfers).map(line => JSON.parse(line) as Transfer)
    const rows = linesOf(files.balances).slice(1)
    truth = new Map(
      rows.map(row => {
        const [holder, balance] = row.split(",") as [string, string]
        return [holder.toLowerCase(), BigInt(balance)]
      })
    )
    truth.delete(NOBODY)
    const asked = { token: TOKEN, limit: 1000, ...WHOLE }
    answer = await Effect.runPromise(
      Effect.gen(function* () {
        const lane = yield* openLaneWith(holdersProjection)
        yield* lane.commit(eventsOf(transfers))
        return yield* lane.ask("holders", asked)
      }).pipe(Effect.scoped)
    )
  })

  it("are what its transfers leave, to the last unit", () => {
    const held = [...truth].filter(([, balance]) => balance > 0n)
    expect(answer.top.map(({ holder, balance }) => [holder, BigInt(balance)])).toEqual(
      held.sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    )
    expect(answer).toMatchObject({
      ...{ chain: 8453, token: TOKEN, tracked: true, complete: false, decimals: 18 },
      incompleteBecause: ["30 addresses sent more than the ledger saw them get"],
      ...{ holders: held.length, totalSupply: String(SUPPLY), supplyMatches: true },
      coverage: { floorBlock: CREATED, createdBlock: CREATED, logs: 2_855, gaps: 0 }
    })
  })

  it("show that the scanner missed some: 30 gave more than they got", () => {
    const lacking = [...truth.values()].filter(balance => balance < 0n)
    expect(answer["negativeHolders"]).toBe(30)
    expect(lacking.length).toBe(30)
    const sum = lacking.reduce((total, balance) => total + balance, 0n)
    // whole tokens and hundredths, as the scanner's notes have it
    expect(Number(sum / 10n ** 16n) / 100).toBeCloseTo(-421_316.1, 1)
    const held = answer.top
      .filter(({ kind }) => kind === "wallet")
      .reduce((total, { balance }) => total + BigInt(balance), 0n)
    expect(answer["heldByWalletsPct"]).toBe(Number(held * 100n) / Number(SUPPLY))
    const burnt = answer.top.find(({ holder }) => holder === DEAD)
    expect(burnt).toMatchObject({ kind: "burn", sharePct: 29 })
    expect(held + BigInt(burnt?.balance ?? 0) + sum).toBe(SUPPLY)
  })

  it("are those of the scanner's own board", () => {
    const rows = linesOf(files.board).slice(1)
    expect(rows.length).toBe(20)
    let found = 0
    for (const row of rows) {
      const [, addresses, quantity, percent] = row.split(",") as [string, string, string, string]
      if (addresses.includes(";") || addresses.includes(" ")) continue
      const shown = answer.top.find(({ holder }) => holder === addresses.toLowerCase())
      const [whole, part = ""] = quantity.split(".") as [string, string?]
      expect(shown?.balance).toBe(String(BigInt(whole + part.padEnd(18, "0"))))
      expect(shown?.sharePct).toBeCloseTo(Number(percent), 5)
      found++
    }
    expect(found).toBeGreaterThan(10)
  })

  it("are told in short, too", () => {
    const share = (rows: Answer["top"]) =>
      rows.slice(0, 10).reduce((sum, { sharePct }) => sum + sharePct, 0)
    expect(answer.concentration["top10"]).toBeCloseTo(share(answer.top), 9)
    const wallets = answer.top.filter(({ kind }) => kind === "wallet")
    expect(answer.walletConcentration["top10"]).toBeCloseTo(share(wallets), 9)
  })
})
