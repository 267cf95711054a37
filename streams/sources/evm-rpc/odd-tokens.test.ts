import { afterAll, beforeAll, expect, it } from "vitest"
import type { Hex } from "../../../src/platform/anvil-rpc.ts"
import { type OddMarket, openOddMarket } from "../../../test/support/odd-tokens.ts"
import { PATIENCE_MS } from "../../../test/support/patience.ts"
import { type RpcRun, rpcChain, startRun } from "../../../test/support/rpc-source.ts"
import type { Event, EventKind, EventOf } from "../../event.ts"

let market: OddMarket
let run: RpcRun
const tokens: { [name: string]: Hex } = {}
const pairs: { [name: string]: Hex } = {}

beforeAll(async () => {
  market = await openOddMarket()
  for (const name of ["Plain", "Whole", "Absurd", "Large", "Upgradable"]) {
    tokens[name] = await market.deploy(name)
    await market.mine()
    if (name === "Upgradable") {
      await market.upgrade(tokens[name] as Hex, await market.deploy("CodeOne"))
      await market.mine()
    }
    pairs[name] = await market.list(tokens[name] as Hex)
  }
  const chain = { ...rpcChain, id: 8453, finalityDepth: 1000, blockTimeMs: 1000 }
  run = await startRun({ chain, endpoints: [market.url] })
})
afterAll(async () => {
  await run?.stop()
  await market?.close()
})

const of = <K extends EventKind>(kind: K): ReadonlyArray<EventOf<K>> =>
  run.events.filter((event: Event): event is EventOf<K> => event.kind === kind)

const seen = (name: string) => of("TokenSeen").filter(({ token }) => token === tokens[name])
const checks = (name: string) => of("TransferChecked").filter(({ token }) => token === tokens[name])

const buy = async (name: string, seconds?: number) => {
  await market.buy(tokens[name] as Hex, pairs[name] as Hex, seconds)
}

/**
 * Waits until the log holds it. What is read beside blocks is told with the next of them, which
 * `next` makes.
 */
const until = async (holds: () => boolean, what: string, next = () => market.mine(1)) => {
  const deadline = Date.now() + PATIENCE_MS
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`${what}: ${JSON.stringify(run.status())}`)
    await new Promise(resolve => setTimeout(resolve, 40))
    await next()
  }
}

it("reads what tokens say of themselves, and takes nothing absurd for decimals", async () => {
  await until(() => seen("Upgradable").length > 0, "the last token is seen")
  expect(seen("Plain")[0]).toMatchObject({
    symbol: "PLN",
    name: "Plain",
    decimals: 18,
    totalSupply: 1_001_000_000n
  })
  expect(seen("Whole")[0]).toMatchObject({ symbol: "WHL", name: "Whole units only", decimals: 0 })
  expect(seen("Absurd")[0]).toMatchObject({ symbol: null, name: null, decimals: null })
  expect(seen("Large")[0]).toMatchObject({ symbol: "LRG", name: null, decimals: null })
  // a proxy whose code says nothing yet
  expect(seen("Upgradable")[0]).toMatchObject({ symbol: null, decimals: null })
})

it("reads a proxy again until its code tells decimals", async () => {
  await market.upgrade(tokens["Upgradable"] as Hex, await market.deploy("CodeTwo"))
  await buy("Upgradable", 120)
  await until(() => seen("Upgradable").some(({ decimals }) => decimals === 9), "read again")
  expect(seen("Upgradable").at(-1)).toMatchObject({ symbol: "UPG", name: "Upgraded", decimals: 9 })
  const swapped = run.events.findIndex(({ kind }) => kind === "SwapExecuted")
  const told = run.events.indexOf(seen("Upgradable").at(-1) as Event)
  expect(swapped).toBeGreaterThan(0)
  expect(told).toBeGreaterThan(swapped)
})

it("reads the supply of what trades again, once an hour", async () => {
  await market.mint(tokens["Plain"] as Hex, 5n)
  await buy("Plain")
  await buy("Plain")
  await until(() => checks("Plain").length > 0, "bought")
  expect(seen("Plain").length).toBe(1)
  await buy("Plain", 3700)
  await until(() => seen("Plain").length > 1, "read again")
  expect(seen("Plain").at(-1)).toMatchObject({ totalSupply: 1_001_000_005n, decimals: 18 })
  // what does not trade is left alone
  expect(seen("Whole").length).toBe(1)
})

it("tells what arrived of what a pool sent", async () => {
  expect(checks("Plain")[0]).toMatchObject({ pool: pairs["Plain"], sent: 1000n, received: 1000n })
  await market.setFee(tokens["Whole"] as Hex, 3n)
  await buy("Whole")
  await until(() => checks("Whole").length > 0, "checked")
  const swap = of("SwapExecuted").find(({ pool }) => pool === pairs["Whole"])
  expect(checks("Whole")[0]).toMatchObject({
    pool: pairs["Whole"],
    transaction: swap?.tx?.hash,
    sent: 1000n,
    received: 970n
  })
})

it("goes on with the tokens of pools that were known before a restart", async () => {
  const before = run.events
  await run.stop()
  const chain = { ...rpcChain, id: 8453, finalityDepth: 1000, blockTimeMs: 1000 }
  run = await startRun({ chain, endpoints: [market.url] }, before)
  await market.mint(tokens["Large"] as Hex, 7n)
  await buy("Large")
  await buy("Large")
  const reads = seen("Large").length
  // the first sight after a start, then at the latest an hour on; a swap that comes while something
  // else is read is not checked, a later one is
  await until(
    () => checks("Large").length > 0,
    "checked",
    () => buy("Large", 10)
  )
  await buy("Large", 3700)
  await until(() => seen("Large").length > reads, "read again")
  expect(seen("Large").at(-1)).toMatchObject({ symbol: "LRG", totalSupply: 1_001_000_007n })
})
