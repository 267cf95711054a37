import { expect, it } from "vitest"
import { solana } from "../../src/domain/chains/solana.ts"
import { NONE } from "../../streams/batch/id-table.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { tokenColumns } from "./output.ts"
import { PoolIndex } from "./pool-index.ts"

interface Pool {
  kind: string | null
  venue: string | null
  tokens: ReadonlyArray<number>
}

/** The slots of these pools, as they are when they are asked for. */
const heldOf = (list: ReadonlyArray<Pool>) =>
  ({
    get count() {
      return list.length
    },
    get columns() {
      return {
        kind: list.map(({ kind }) => kind),
        venue: list.map(({ venue }) => venue),
        ...Object.fromEntries(
          tokenColumns.map((name, place) => [name, list.map(({ tokens }) => tokens[place] ?? NONE)])
        )
      }
    }
  }) as unknown as ConstructorParameters<typeof PoolIndex>[1]

it("pools of tokens are known as they are made, and anew where one is told of again", () => {
  const listed = testChain.venues[0]?.id ?? ""
  const list: Array<Pool> = [
    { kind: "uniswap-v2", venue: "b", tokens: [7, 3] },
    { kind: "uniswap-v3", venue: "a", tokens: [3, 5000] }
  ]
  const index = new PoolIndex(testChain, heldOf(list))
  const at = (token: number) => JSON.stringify(index.counts(token))
  // the token's first place comes first, then the pool
  expect(at(3)).toBe('{"pools":{"v2":1,"v3":1,"v4":0,"byDex":{"a":1,"b":1}},"routable":false}')
  list.push(
    { kind: null, venue: null, tokens: [3, 3, 9] },
    { kind: "x", venue: listed, tokens: [] }
  )
  index.changed(2)
  expect([...index.of(3)]).toEqual([0, 1, 2])
  expect(at(9)).toBe('{"pools":{"v2":0,"v3":0,"v4":0,"byDex":{"unknown":1}},"routable":false}')
  list[3] = { kind: "solidly", venue: listed, tokens: [9, 3] }
  index.changed(3)
  expect([...index.of(3)]).toEqual([0, 1, 2, 3])
  expect(index.counts(9)).toEqual({
    pools: { v2: 1, v3: 0, v4: 0, byDex: { [listed]: 1, unknown: 1 } },
    routable: true
  })
  expect([...index.of(4)]).toEqual([])
  list.length = 1
  index.clear()
  expect([...index.of(5000)]).toEqual([])
})

it("tokens of venues that are decoded and not quoted are not routable", () => {
  const pool = { kind: "meteora-dlmm", venue: "meteora_dlmm", tokens: [1, 2] }
  const { routable, pools } = new PoolIndex(solana, heldOf([pool])).counts(1)
  expect([routable, pools.byDex]).toEqual([false, { meteora_dlmm: 1 }])
})
