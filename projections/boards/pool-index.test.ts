import { expect, it } from "vitest"
import { NONE } from "../../streams/batch/id-table.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { type Pools, tokenColumns } from "../pools/output.ts"
import { PoolIndex } from "./pool-index.ts"

interface Pool {
  kind: string | null
  venue: string | null
  tokens: ReadonlyArray<number>
}

/** What the index asks of pools. */
const poolsOf = (list: ReadonlyArray<Pool>): Pools =>
  ({
    count: () => list.length,
    columns: () => ({
      kind: list.map(({ kind }) => kind),
      venue: list.map(({ venue }) => venue),
      ...Object.fromEntries(
        tokenColumns.map((name, place) => [name, list.map(({ tokens }) => tokens[place] ?? NONE)])
      )
    })
  }) as unknown as Pools

it("pools of tokens are known as they are made, and anew where one is told of again", () => {
  const listed = testChain.venues[0]?.id ?? ""
  const list: Array<Pool> = [
    { kind: "uniswap-v2", venue: "b", tokens: [7, 3] },
    { kind: "uniswap-v3", venue: "a", tokens: [3, 5000] }
  ]
  const index = new PoolIndex(testChain)
  const at = (token: number) => JSON.stringify(index.counts(poolsOf(list), token))
  // the token's first place comes first, then the pool
  expect(at(3)).toBe('{"pools":{"v2":1,"v3":1,"v4":0,"byDex":{"a":1,"b":1}},"routable":false}')
  list.push(
    { kind: null, venue: null, tokens: [3, 3, 9] },
    { kind: "x", venue: listed, tokens: [] }
  )
  index.changed(-1)
  index.changed(2)
  expect([...index.of(poolsOf(list), 3)]).toEqual([0, 1, 2])
  expect(at(9)).toBe('{"pools":{"v2":0,"v3":0,"v4":0,"byDex":{"unknown":1}},"routable":false}')
  list[3] = { kind: "solidly", venue: listed, tokens: [9, 3] }
  index.changed(3)
  expect([...index.of(poolsOf(list), 3)]).toEqual([0, 1, 2, 3])
  expect(index.counts(poolsOf(list), 9)).toEqual({
    pools: { v2: 1, v3: 0, v4: 0, byDex: { [listed]: 1, unknown: 1 } },
    routable: true
  })
  expect([...index.of(poolsOf(list), 4)]).toEqual([])
  index.clear()
  expect([...index.of(poolsOf(list.slice(0, 1)), 5000)]).toEqual([])
})
