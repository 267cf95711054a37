import { expect, it } from "vitest"
import type { Address } from "../../src/domain/address.ts"
import { abiEvent, encodeLog } from "../../test/support/abi-logs.ts"
import { testChain } from "../../test/support/chain-config.ts"
import { rawLogOf } from "../../test/support/raw-logs.ts"
import { eventsOf } from "../event-objects.ts"
import { FactBook } from "../facts.ts"
import type { EventDecoder } from "../venue.ts"
import { operationEnds, operationsBegun } from "./account-operations/decode.ts"
import { chainDecoder } from "./chain-decoder.ts"
import { LogTapeWriter } from "./log-tape-writer.ts"
import { uniswapV2Events } from "./uniswap-v2/decode.ts"

const address = (byte: string): Address => `0x${byte.repeat(20)}` as Address
const ENTRY = address("e1")
const ENTRY_2 = address("e2")
const POOL = address("b0")
const chain = { ...testChain, entryPoints: [ENTRY, ENTRY_2] }
const sync = uniswapV2Events.find(({ abi }) => abi.startsWith("event Sync(")) as EventDecoder
const [userOperation] = operationEnds as [EventDecoder, ...ReadonlyArray<EventDecoder>]

/** `P` a pool's log, `[` a begin, letters the ends of operations; `(` and `z` of another entry
 *  point, `x` of a stranger. What of it is written, in the same letters. */
const written = (...txs: ReadonlyArray<string>): string => {
  const writer = new LogTapeWriter({
    decoder: chainDecoder(chain),
    facts: new FactBook(),
    last: null,
    knownPools: [],
    knownTokens: []
  })
  const account = (letter: string) => address(letter.charCodeAt(0).toString(16))
  const logOf = (letter: string) => {
    if (letter === "P") {
      return encodeLog(abiEvent(sync.abi), { reserve0: 1n, reserve1: 2n }, POOL)
    }
    if (letter === "[" || letter === "(") {
      return encodeLog(abiEvent(operationsBegun.abi), {}, letter === "[" ? ENTRY : ENTRY_2)
    }
    const args = {
      userOpHash: `0x${"77".repeat(32)}`,
      sender: account(letter),
      paymaster: `0x${"00".repeat(20)}`,
      nonce: 1n,
      success: true,
      actualGasCost: 1n,
      actualGasUsed: 1n
    }
    const emitter = letter === "x" ? address("ff") : letter === "z" ? ENTRY_2 : ENTRY
    return encodeLog(abiEvent(userOperation.abi), args, emitter)
  }
  writer.beginBlock(1, 1, null, null)
  let logIndex = 0
  txs.forEach((letters, index) => {
    writer.beginTx(new Uint8Array(32).fill(index + 1), index, null, null)
    for (const letter of letters) writer.log(rawLogOf(logOf(letter), logIndex++))
  })
  writer.endBlock("file", true)
  writer.flush()
  expect(writer.problem).toBeNull()
  expect(writer.quarantined).toBe(0)
  const events = eventsOf(writer.take() as NonNullable<ReturnType<typeof writer.take>>)
  const order = events.flatMap(event => (event.tx === null ? [] : [event.logIndex]))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  return events
    .map(event => {
      if (event.kind === "ReservesSynced") return "P"
      if (event.kind === "OperationsBegun") return event.entryPoint === ENTRY ? "[" : "("
      if (event.kind !== "OperationExecuted") return ""
      return String.fromCharCode(Number(`0x${event.account.slice(2, 4)}`))
    })
    .join("")
}

it("keeps the ends of operations that did something, and the begin before them", () => {
  expect(written("[abPcdPPef")).toBe("[PcPPe")
  expect(written("[ab")).toBe("")
  expect(written("P")).toBe("P")
})

it("shows what stands outside of a bundle", () => {
  expect(written("P[ab")).toBe("P[a")
  expect(written("[aP")).toBe("[P")
  expect(written("[aP(Pz")).toBe("[P(Pz")
  expect(written("[(zPa")).toBe("(Pa")
})

it("forgets a begin with its transaction, and passes over strangers", () => {
  expect(written("[a", "Pb", "[Pc")).toBe("Pb[Pc")
  expect(written("[xPxa")).toBe("[Pa")
})
