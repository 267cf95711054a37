/** What the log tells of a token's supply becomes right again after mints and burns. */
import type { Hex } from "viem"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { FakeChain, type FakeTx } from "../../../test/support/fake-chain.ts"
import { syncLog, v2SwapLog } from "../../../test/support/fake-logs.ts"
import { deployMarket, TOKEN_A, V2_POOL } from "../../../test/support/fake-market.ts"
import { type FakeRpc, startFakeRpc } from "../../../test/support/fake-rpc.ts"
import { burn, deployMintable, mint, move, supplyAt } from "../../../test/support/fake-supply.ts"
import { type RpcRun, type RunOptions, startRun } from "../../../test/support/rpc-source.ts"
import { effective } from "../../../test/support/tape-input.ts"
import type { Event } from "../../event.ts"

const TOKEN = `0x${"c3".repeat(20)}` as const
/** Blocks of ten seconds in the minute between two readings. */
const MINUTE = 6

let chain: FakeChain
let node: FakeRpc
let run: RpcRun
/** blocks at which the supply was asked for */
let readings: Array<number>

beforeEach(async () => {
  chain = new FakeChain(8453, 10)
  deployMarket(chain)
  readings = []
  deployMintable(chain, TOKEN, block => readings.push(block))
  node = await startFakeRpc(chain, "supply")
})
afterEach(async () => {
  await run.stop()
  await node.close()
})

const begin = async (options: Partial<RunOptions> = {}, before: ReadonlyArray<Event> = []) => {
  run = await startRun({ endpoints: [node.url], pins: [TOKEN], ...options }, before)
  expect(await run.reach(chain)).toBe(true)
}

/** Mines a block, waits until it is in the log and what it made be read is read. */
const step = async (...txs: ReadonlyArray<FakeTx>) => {
  chain.mine(txs)
  expect(await run.reach(chain)).toBe(true)
  // such a reading is under way by now: it is over when nothing more is asked for
  for (let calls = -1, quiet = 0; quiet < 2; ) {
    const now = node.calls.get("eth_call") ?? 0
    quiet = now === calls ? quiet + 1 : 0
    calls = now
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}

const steps = async (blocks: number) => {
  for (let i = 0; i < blocks; i++) await step()
}

const seen = (token: string = TOKEN) =>
  effective(run.events).flatMap(event =>
    event.kind === "TokenSeen" && event.token === token ? [event] : []
  )

/** The supplies that the log tells, with the blocks they stand in. */
const told = () => seen().map(({ block, totalSupply }) => [block.number, totalSupply])

const supply = () => supplyAt(chain, TOKEN, chain.head.number)

describe("a pinned token", () => {
  it("is read again after a mint or a burn, and not more than once a minute", async () => {
    chain.mine([mint(TOKEN, 1_000n)])
    await begin()
    // read when it was pinned, before the mint, and once more for the mint
    await steps(2)
    expect(seen().at(-1)).toMatchObject({ decimals: 6, totalSupply: 1_000n })
    await steps(MINUTE)
    const before = told().length
    const at = chain.head.number
    await step(mint(TOKEN, 10n))
    await step(mint(TOKEN, 5n))
    expect(told().slice(before)).toEqual([[at + 2, 1_010n]])
    expect(readings.at(-1)).toBe(at + 1)
    // a mint or burn a block, for most of a minute
    for (let i = 0; i < MINUTE - 2; i++) await step(i === 0 ? burn(TOKEN, 1n) : mint(TOKEN, 2n))
    expect(told().length).toBe(before + 1)
    await steps(2)
    expect(supply()).toBe(1_020n)
    expect(told().slice(before + 1)).toEqual([[at + 2 + MINUTE, 1_020n]])
    expect(readings.at(-1)).toBe(at + 1 + MINUTE)
    const calls = readings.length
    await step(move(TOKEN, 7n))
    await steps(2 * MINUTE)
    expect(readings.length).toBe(calls)
  })

  it("is read with at most fifteen others at once", async () => {
    const tokens = Array.from(
      { length: 20 },
      (_, i): Hex => `0x${(16 + i).toString(16).repeat(20)}`
    )
    for (const token of tokens) deployMintable(chain, token)
    await begin({ pins: tokens })
    await steps(MINUTE + 2)
    const before = run.events.length
    const at = chain.head.number
    await step(...tokens.map((token, i) => mint(token, BigInt(i + 1))))
    await steps(3)
    const news = run.events.slice(before).flatMap(event => {
      return event.kind === "TokenSeen" ? [event] : []
    })
    const inBlock = (number: number) => news.filter(({ block }) => block.number === number).length
    expect([inBlock(at + 2), inBlock(at + 3), news.length]).toEqual([16, 4, 20])
    expect(new Map(news.map(({ token, totalSupply }) => [token, totalSupply]))).toEqual(
      new Map(tokens.map((token, i) => [token, BigInt(i + 1)]))
    )
  })

  it("has the supply of the branch that stays", async () => {
    await begin()
    await steps(MINUTE)
    await step(mint(TOKEN, 100n))
    await steps(2)
    expect(seen().at(-1)?.totalSupply).toBe(100n)
    chain.rewind(3)
    chain.mine([mint(TOKEN, 40n)])
    chain.mine([])
    await steps(2)
    await steps(MINUTE)
    expect(supply()).toBe(40n)
    expect(seen().at(-1)?.totalSupply).toBe(40n)
    await steps(MINUTE)
    // the mint stays, what was read of it is undone
    await step(mint(TOKEN, 2n))
    await steps(2)
    expect(seen().at(-1)?.totalSupply).toBe(42n)
    chain.rewind(2)
    await steps(MINUTE + 4)
    expect(supply()).toBe(42n)
    expect(seen().at(-1)?.totalSupply).toBe(42n)
  })

  it("is told again where a reorg undid all that was told of it", async () => {
    await begin({ pins: [] })
    await steps(1)
    await run.stop()
    await begin({ pins: [TOKEN] }, run.events)
    await steps(2)
    expect(seen()[0]).toMatchObject({ symbol: "MINT", decimals: 6 })
    chain.rewind(3)
    await steps(5)
    const kinds = effective(run.events).flatMap(({ kind, block }) =>
      kind === "TokenPinned" || kind === "TokenSeen" ? [[kind, block.number]] : []
    )
    expect(kinds.map(([kind]) => kind)).toEqual(["TokenPinned", "TokenSeen"])
    expect(seen()[0]).toMatchObject({ symbol: "MINT", decimals: 6 })
  })

  it("is read at each start: a mint may have been seen and not read before", async () => {
    await begin()
    await steps(MINUTE)
    await step(mint(TOKEN, 9n))
    await run.stop()
    const isMint = ({ block }: Event) => block.number <= chain.head.number
    const before = run.events.filter(event => isMint(event) && event.kind !== "TokenSeen")
    const first = run.events.find(({ kind }) => kind === "TokenSeen") as Event
    await begin({ pins: [] }, [first, ...before])
    expect(told()).toEqual([[0, 0n]])
    await steps(2)
    expect(told()).toEqual([
      [0, 0n],
      [chain.head.number, 9n]
    ])
  })

  it("is read when it is pinned although the log knows it", async () => {
    await begin({ pins: [] })
    await step({ from: TOKEN, to: V2_POOL, logs: [syncLog(V2_POOL, 5n, 5n)] })
    expect(seen(TOKEN_A).map(({ totalSupply }) => totalSupply)).toEqual([10n ** 24n])
    deployMintable(chain, TOKEN_A)
    await run.stop()
    await begin({ pins: [TOKEN_A] }, run.events)
    await step(mint(TOKEN_A, 3n))
    await steps(3)
    expect(seen(TOKEN_A).at(-1)?.totalSupply).toBe(3n)
  })
})

const swap = (): FakeTx => ({
  from: TOKEN,
  to: V2_POOL,
  logs: [syncLog(V2_POOL, 5n, 5n), v2SwapLog(V2_POOL, TOKEN, TOKEN, [1n, 0n, 0n, 1n])]
})

describe("a token that trades", () => {
  it("is read again where the last reading is an hour old, and left alone else", async () => {
    // six blocks an hour
    chain = new FakeChain(8453, 600)
    deployMarket(chain)
    deployMintable(chain, TOKEN_A, block => readings.push(block))
    await node.close()
    node = await startFakeRpc(chain, "hours")
    await begin({ pins: [] })
    await step(swap())
    const first = chain.head.number
    expect(readings).toEqual([first])
    await step(mint(TOKEN_A, 50n))
    for (let i = 0; i < 4; i++) await step(swap())
    expect(readings).toEqual([first])
    await step(swap())
    await step()
    expect(readings).toEqual([first, first + 6])
    expect(seen(TOKEN_A).map(({ block, totalSupply }) => [block.number, totalSupply])).toEqual([
      [first, 0n],
      [first + 7, 50n]
    ])
    // what does not trade is not read, however old
    await step(mint(TOKEN_A, 1n))
    await steps(12)
    expect(readings).toEqual([first, first + 6])
    await step(swap())
    await step()
    const supplies = () => seen(TOKEN_A).map(({ totalSupply }) => totalSupply)
    expect(supplies()).toEqual([0n, 50n, 51n])
    // the block that tells it is undone, not the one at which it was read
    chain.rewind(1)
    await steps(3)
    expect(supplies()).toEqual([0n, 50n, 51n])
  })
})
