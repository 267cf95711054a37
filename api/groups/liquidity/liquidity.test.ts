/** Liquidity of Solana over HTTP, by values written by hand. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { solana } from "../../../src/domain/chains/solana.ts"
import { type Body, startApi, type TestApi } from "../../../test/support/api-server.ts"
import { get } from "../../../test/support/get.ts"
import { MemoryLane } from "../../../test/support/memory-lane.ts"
import { MemoryLog } from "../../../test/support/memory-log.ts"
import {
  accountOf,
  blocksOf,
  created,
  liquidity,
  MINT,
  opening,
  POOL,
  reserves,
  sealed,
  seen,
  swap,
  USDC
} from "../../../test/support/small-solana.ts"

const HOUR = 3600
const AT = 500_000 * HOUR
const NOW = AT + 1800
const START = AT - 100 * HOUR
const [ANN, BEN, OTHER, NEW_POOL] = [1, 2, 0xa2, 0xb2].map(accountOf) as [
  string,
  string,
  string,
  string
]
/** Neither of its tokens has a price. */
const [BARE_POOL, BARE_TOKEN] = [0xb3, 0xa3].map(accountOf) as [string, string]

/** A token costs ten dollars; a pool that the log saw being made has one that costs nobody knows. */
const events = [
  ...[...opening(START), reserves(START, 10_000, 100_000)],
  ...[seen(START, OTHER), liquidity(START + 1, ANN, 10, 100)],
  liquidity(AT - 30 * HOUR, BEN, 5, 50),
  created(AT, NEW_POOL, [OTHER, MINT], "log"),
  liquidity(AT + 1, BEN, 7, 2, NEW_POOL),
  swap({ time: AT + 2, by: BEN, tokens: 2, dollars: 20 }),
  ...[seen(AT + 2, BARE_TOKEN), created(AT + 2, BARE_POOL, [OTHER, BARE_TOKEN])],
  swap({ time: AT + 2, logIndex: 4, by: BEN, tokens: 2, dollars: 20, pool: BARE_POOL }),
  liquidity(AT + 3, ANN, -4, -40),
  liquidity(AT + 4, null, 1, 10),
  sealed(NOW)
]

let api: TestApi
let lane: MemoryLane
beforeAll(async () => {
  const log = new MemoryLog()
  for (const block of blocksOf(events)) log.append(block)
  lane = new MemoryLane(solana, log)
  await lane.start()
  await lane.fold(log.segments.length)
  await lane.commit()
  api = await startApi([lane])
})
afterAll(async () => {
  await api.close()
  await lane.close()
})

const asked = async (path: string): Promise<Body> =>
  JSON.parse((await get(`${api.url}/v1/chains/solana/liquidity/${path}`)).text)

const sides = { token0: { address: MINT, symbol: "T" }, token1: { address: USDC, symbol: "T" } }

describe("liquidity of Solana", () => {
  it("has its pools by depth and by volume", async () => {
    const page = await asked("pools")
    expect(page).toMatchObject({ chain: "solana", offset: 0, total: 2, updatedAt: NOW })
    const [priced, bare] = page.pools
    expect(bare).toMatchObject({ pool: BARE_POOL, depthUsd: null, volumeUsd24h: 0 })
    expect([priced]).toEqual([
      {
        ...{ pool: POOL, dex: "raydium_cpmm", ...sides, sinceCreation: false },
        reserves: { amount0: 10_000, amount1: 100_000 },
        ...{ depthUsd: 100_000, volumeUsd24h: 20, adds24h: 1, removes24h: 1 },
        ...{ addedUsd24h: 20, removedUsd24h: 80, unpriced24h: 0 }
      }
    ])
    expect((await asked("pools?sort=volume")).pools).toEqual(page.pools)
    expect((await asked(`pools?offset=1&asOf=${page.asOf}`)).pools).toEqual([bare])
    expect((await asked(`pools?asOf=${page.asOf - 1}`)).error).toBe("AS_OF_GONE")
  })

  it("has its changes page by page", async () => {
    const { events: all } = await asked("events")
    expect(all.map(({ ts, change, usd }: Body) => [ts, change, usd])).toEqual([
      [AT + 4, "add", 20],
      [AT + 3, "remove", 80],
      [AT + 1, "add", null],
      [AT - 30 * HOUR, "add", 100],
      [START + 1, "add", 200]
    ])
    expect(all[1]).toMatchObject({
      ...{ pool: POOL, dex: "raydium_cpmm", ...sides, owner: ANN, block: AT + 3, logIndex: 3 },
      ...{ amount0: 4, amount1: 40, tickLower: null, tickUpper: null, liquidity: null }
    })
    const first = await asked("events?limit=2")
    expect(first.nextBefore).toBe(`${AT + 3}:${AT + 3}:3`)
    const second = await asked(`events?limit=3&before=${first.nextBefore}`)
    expect([...first.events, ...second.events]).toEqual(all)
    expect(second.nextBefore).toBeNull()
    expect((await asked(`events?before=${AT}`)).events).toEqual(all.slice(3))
  })

  it("has changes of a pool, of a wallet and of a token", async () => {
    const times = async (query: string) =>
      (await asked(`events?${query}`)).events.map(({ ts }: Body) => ts)
    expect(await times(`pool=${NEW_POOL}`)).toEqual([AT + 1])
    expect(await times(`wallet=${BEN}`)).toEqual([AT + 1, AT - 30 * HOUR])
    expect(await times(`wallet=${BEN}&pool=${POOL}`)).toEqual([AT - 30 * HOUR])
    expect(await times(`token=${OTHER}`)).toEqual([AT + 1])
    expect(await times(`token=${ANN}`)).toEqual([])
    expect(await times(`pool=${ANN}`)).toEqual([])
  })

  it("has the positions of a pool and of a wallet", async () => {
    const { positions, total } = await asked(`positions?pool=${POOL}`)
    expect(total).toBe(3)
    expect(positions.map(({ owner }: Body) => owner)).toEqual([ANN, BEN, null])
    expect(positions[0]).toEqual({
      ...{ pool: POOL, dex: "raydium_cpmm", ...sides, owner: ANN, sinceCreation: false },
      position: null,
      ...{ tickLower: null, tickUpper: null, liquidity: null, adds: 1, removes: 1, collects: 0 },
      ...{ added0: 10, added1: 100, removed0: 4, removed1: 40, collected0: 0, collected1: 0 },
      ...{ addedUsd: 200, removedUsd: 80, collectedUsd: 0, unpriced: 0, untold: 0 },
      ...{ firstTs: START + 1, lastTs: AT + 3 }
    })
    const ofBen = await asked(`positions?wallet=${BEN}`)
    expect(ofBen.positions).toMatchObject([
      { pool: POOL, sinceCreation: false, addedUsd: 100 },
      { pool: NEW_POOL, sinceCreation: true, addedUsd: 0, unpriced: 1, added0: 7, added1: 2 }
    ])
    expect((await asked(`positions?wallet=${BEN}&offset=1&limit=1`)).positions).toEqual([
      ofBen.positions[1]
    ])
    expect((await asked(`positions?wallet=${MINT}`)).total).toBe(0)
    expect((await asked("positions")).total).toBe(4)
  })

  it("has the wallets that added most, and what is nobody's", async () => {
    const page = await asked("wallets")
    expect(page.wallets).toMatchObject([
      { wallet: ANN, addedUsd: 200, removedUsd: 80, positions: 1, pools: 1, unpriced: 0 },
      { wallet: BEN, addedUsd: 100, removedUsd: 0, positions: 2, pools: 2, unpriced: 1 }
    ])
    expect(page.unowned).toMatchObject({ addedUsd: 20, adds: 1, firstTs: AT + 4 })
    expect([page.total, page.forgets]).toEqual([2, false])
    expect((await asked("wallets?limit=1&offset=1")).wallets).toEqual([page.wallets[1]])
    // what was added before the log nobody can say
    expect(page.unknown).toEqual([{ from: 0, to: START }])
  })

  it("refuses what is wrong with a question", async () => {
    const code = async (path: string) => (await asked(path)).error
    expect(await code("pools?sort=age")).toBe("BAD_SORT")
    for (const name of ["pools", "events", "wallets"]) {
      expect([await code(`${name}?limit=0`), await code(`${name}?limit=501`)]).toEqual([
        "BAD_LIMIT",
        "BAD_LIMIT"
      ])
    }
    expect(await code("events?before=x")).toBe("BAD_BEFORE")
    expect(await code("events?pool=0x12")).toBe("BAD_ADDRESS")
    expect(await code(`events?wallet=${"z".repeat(32)}`)).toBe("BAD_ADDRESS")
    expect(await code(`positions?pool=${"z".repeat(32)}`)).toBe("BAD_ADDRESS")
  })
})
