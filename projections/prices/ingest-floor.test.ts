import { expect, it } from "vitest"
import { allChains as chains } from "../../src/domain/chains/registry.ts"
import { candlesAnswer } from "../candles/window.ts"
import { declaredFloor, ingestFloorOf } from "./ingest-floor.ts"

it("is what the registry declares, for the whole log", () => {
  const floors = chains.map(chain => [chain.key, ingestFloorOf(chain).minTradeUsd])
  expect(floors.filter(([, usd]) => usd !== 0)).toEqual([["bnb", 100]])
  for (const chain of chains) {
    const floor = ingestFloorOf(chain)
    expect(floor.history).toEqual([{ usd: floor.minTradeUsd, fromTs: 0 }])
  }
})

it("stands in candles where one is declared", () => {
  const told = chains.filter(chain => "ingestFloor" in declaredFloor(chain)).map(({ key }) => key)
  expect(told.sort()).toEqual(["avalanche", "base", "bnb"])
  const window = { from: 0, to: 3600, openEnd: 3600 }
  for (const chain of chains) {
    const keptFrom = { raw: 0, minutes: 0 }
    const context = { chain, seq: 1, block: 1, blockTime: 1, keptFrom }
    const answer = candlesAnswer(context, { token: "0x", tf: "1h" }, window, [], [])
    expect("ingestFloor" in answer).toBe(told.includes(chain.key))
  }
})
