import { Effect, Result } from "effect"
import { encodeAbiParameters, toFunctionSelector } from "viem"
import { expect, it } from "vitest"
import { curveStable } from "../../evm/curve-stable/venue.ts"
import { liquidityBook } from "../../evm/liquidity-book/venue.ts"
import type { AnyVenueKind } from "../../venue.ts"
import type { Endpoints } from "./endpoints.ts"
import { readPools } from "./read-facts.ts"

const POOL = `0x${"aa".repeat(20)}`
const token = (digit: string) => `0x${digit.repeat(40)}` as const
const addressWord = (address: `0x${string}`) =>
  encodeAbiParameters([{ type: "address" }], [address])
const numberWord = (value: bigint) => encodeAbiParameters([{ type: "uint256" }], [value])
const coins = (type: string, place: bigint) =>
  toFunctionSelector(`function coins(${type}) view returns (address)`) + numberWord(place).slice(2)

/** A node that answers these calls by their data, and refuses the others. */
const nodeOf = (answers: { readonly [data: string]: string }): Endpoints =>
  ({
    batch: (calls: ReadonlyArray<{ readonly params: ReadonlyArray<{ readonly data: string }> }>) =>
      Effect.succeed(
        calls.map(({ params }) => {
          const answer = answers[params[0]?.data ?? ""]
          return answer === undefined ? Result.fail({ kind: "refused" }) : Result.succeed(answer)
        })
      )
  }) as unknown as Endpoints

const read = (kind: unknown, answers: { readonly [data: string]: string }) =>
  Effect.runPromise(readPools(nodeOf(answers), [{ address: POOL, kind: kind as AnyVenueKind }], 1))

const method = (name: string) => toFunctionSelector(`function ${name}()`)

it("reads coins by place up to the first gap, and parameters by name", async () => {
  const [first, second, third] = [token("1"), token("2"), token("3")]
  const facts = await read(curveStable, {
    [coins("int128", 0n)]: addressWord(first),
    [coins("int128", 1n)]: addressWord(second),
    [coins("uint256", 1n)]: addressWord(second),
    [coins("uint256", 3n)]: addressWord(third),
    [method("A")]: numberWord(200n),
    [method("fee")]: numberWord(4_000_000n)
  })
  expect(facts).toEqual([
    {
      pool: POOL,
      venueKind: "curve-stable",
      factory: null,
      tokens: [first, second],
      fee: null,
      tickSpacing: null,
      source: "call",
      parameters: [
        { name: "A", index: null, value: 200n },
        { name: "fee", index: null, value: 4_000_000n }
      ]
    }
  ])
})

it("knows no pool by one coin, or by the same twice", async () => {
  expect(await read(curveStable, { [coins("uint256", 0n)]: addressWord(token("1")) })).toEqual([])
  const twice = {
    [method("getTokenX")]: addressWord(token("1")),
    [method("getTokenY")]: addressWord(token("1"))
  }
  expect(await read(liquidityBook, twice)).toEqual([])
  expect(
    await read(liquidityBook, {
      ...twice,
      [method("getTokenY")]: addressWord(token("2")),
      [method("getBinStep")]: numberWord(25n)
    })
  ).toMatchObject([
    { tokens: [token("1"), token("2")], parameters: [{ name: "binStep", value: 25n }] }
  ])
})

it("reads the word of an answer that the call names, and nothing where it is shorter", async () => {
  const reserves = "function getReserves() view returns (uint112, uint112, uint32)"
  const kind = {
    kind: "worded",
    poolCalls: [
      {
        fact: "token",
        index: 0,
        word: 1,
        abi: "function tokens() view returns (address, address)"
      },
      { fact: "token1", abi: "function tokens() view returns (address, address)" },
      { fact: "parameter", name: "since", word: 2, abi: reserves },
      { fact: "parameter", name: "none", word: 3, abi: reserves }
    ]
  }
  const words = (...list: ReadonlyArray<`0x${string}`>) =>
    `0x${list.map(one => one.slice(2)).join("")}`
  const [fact] = await read(kind, {
    [method("tokens")]: words(addressWord(token("1")), addressWord(token("2"))),
    [method("getReserves")]: words(numberWord(5n), numberWord(6n), numberWord(7n))
  })
  expect(fact).toMatchObject({
    tokens: [token("2"), token("1")],
    parameters: [{ name: "since", index: null, value: 7n }]
  })
})
