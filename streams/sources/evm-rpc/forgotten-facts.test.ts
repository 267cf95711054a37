/** Facts that are forgotten because there are too many of them. */
import { type Hex, toFunctionSelector } from "viem"
import { afterEach, expect, it } from "vitest"
import { FakeChain } from "../../../test/support/fake-chain.ts"
import { syncLog } from "../../../test/support/fake-logs.ts"
import {
  deployMarket,
  MUTE_POOL,
  randomTxs,
  TOKEN_A,
  TOKEN_B,
  V2_POOL,
  V3_POOL
} from "../../../test/support/fake-market.ts"
import { startFakeRpc } from "../../../test/support/fake-rpc.ts"
import {
  loggedOf,
  type RpcRun,
  type RunOptions,
  startRun,
  truthLogs
} from "../../../test/support/rpc-source.ts"
import { random } from "../../../test/support/seed.ts"

const ends: Array<() => Promise<void>> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const start = async (options: RunOptions): Promise<RpcRun> => {
  const run = await startRun(options)
  ends.push(run.stop)
  return run
}

const allFacts = (run: RpcRun) =>
  run.events.flatMap(event =>
    event.kind === "PoolCreated" || event.kind === "TokenSeen" ? [event] : []
  )
const subject = (fact: ReturnType<typeof allFacts>[number]) =>
  fact.kind === "PoolCreated" ? fact.pool : fact.token

/** The first of each pool and token, wherever it stands. */
const told = (run: RpcRun) => {
  const subjects = allFacts(run).map(subject)
  return allFacts(run)
    .filter((fact, i) => subjects.indexOf(subject(fact)) === i)
    .map(({ block, tx, logIndex, ...fact }) => fact)
}

it("are asked for again where they are forgotten, and not told again", async () => {
  const chain = new FakeChain()
  deployMarket(chain)
  const r = random("forgotten facts")
  const asked = new Map<Hex, number>()
  const [wasAsked, factory] = [[V2_POOL, MUTE_POOL] as const, toFunctionSelector("factory()")]
  for (const pool of wasAsked) {
    const answers = chain.contracts.get(pool)
    const answer = () => {
      asked.set(pool, (asked.get(pool) ?? 0) + 1)
      return pool === MUTE_POOL ? "0x" : (answers?.[factory] as Hex)
    }
    chain.contracts.set(pool, { ...answers, [factory]: answer })
  }
  const logs = [syncLog(V2_POOL, 2n, 3n), syncLog(MUTE_POOL, 2n, 3n)]
  const mineBoth = () => chain.mine([{ from: TOKEN_A, to: TOKEN_B, logs }])
  for (let i = 0; i < 40; i++) chain.mine(randomTxs(r, 3))
  mineBoth()
  const node = await startFakeRpc(chain, "forgotten facts")
  ends.push(node.close)
  const options = { endpoints: [node.url] }
  const run = await start({ ...options, mostFacts: 0 })
  expect(await run.reach(chain)).toBe(true)
  const before = wasAsked.map(pool => asked.get(pool) ?? 0)
  for (let i = 0; i < 20; i++) {
    mineBoth()
    expect(await run.reach(chain)).toBe(true)
  }
  wasAsked.forEach((pool, i) => {
    expect(asked.get(pool) ?? 0).toBeGreaterThan((before[i] as number) + 5)
  })
  expect(loggedOf(run.events)).toEqual(truthLogs(chain))
  const pools = allFacts(run).filter(({ kind }) => kind === "PoolCreated")
  const unbounded = await start(options)
  expect(await unbounded.reach(chain)).toBe(true)
  expect(pools.map(subject).sort()).toEqual([V2_POOL, V3_POOL])
  expect(told(run)).toEqual(told(unbounded))
})
