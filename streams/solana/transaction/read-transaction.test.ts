import { expect, it } from "vitest"
import { jsonOf, type MadeInstruction, transferOf } from "../made-transaction.ts"
import { type MalformedTransaction, pathOf, pathText, type Transaction } from "../transaction.ts"
import { readDocument } from "./read-document.ts"
import { readTransaction } from "./read-transaction.ts"

const plain = (program: string, calls: ReadonlyArray<MadeInstruction> = []): MadeInstruction => ({
  program,
  accounts: ["a", "b"],
  data: Uint8Array.from([1, 2]),
  calls,
  logs: [`Program log: Program ${program} success`, "Program data: AQ=="]
})

const nested = [plain("one", [plain("two", [transferOf("a", "b", 5n)]), plain("two")])]

const shape = (one: Transaction | MalformedTransaction) =>
  one._tag === "Transaction"
    ? one.instructions.map(({ path, height, parent, program, logged }) => [
        pathText(path),
        height,
        parent,
        program.slice(0, 5),
        logged.length
      ])
    : one.reason

const TREE = [
  ["0", 1, -1, "one", 1],
  ["0.0", 2, 0, "two", 1],
  ["0.1", 3, 1, "Token", 0],
  ["0.2", 2, 0, "two", 1]
]

it("reads who called whom, and what each logged, also where a program imitates the runtime", () => {
  expect(shape(readTransaction(jsonOf({ instructions: nested })))).toEqual(TREE)
})

it("takes heights of the log where the node tells none", () => {
  expect(shape(readTransaction(jsonOf({ instructions: nested, heights: false })))).toEqual(TREE)
})

it("passes over programs that log nothing", () => {
  const json = jsonOf({ instructions: [plain("silent"), ...nested] })
  const logMessages = json.meta.logMessages.filter(
    line => !line.includes("silent") && line !== "Program data: AQ=="
  )
  const read = readTransaction({ ...json, meta: { ...json.meta, logMessages } })
  expect(read).toMatchObject({ log: "complete" })
})

it.each([
  ["another program", "Program one invoke [1]", "Program else invoke [1]", "unmatched"],
  ["another height", "Program two invoke [2]", "Program two invoke [3]", "unmatched"],
  ["a cut", "Program one invoke [1]", "Log truncated", "truncated"]
])("says that the log has %s", (_, line, by, log) => {
  const json = jsonOf({ instructions: nested })
  const logMessages = json.meta.logMessages.map(one => (one === line ? by : one))
  const read = readTransaction({ ...json, meta: { ...json.meta, logMessages } })
  expect(read).toMatchObject({ log })
})

it.each([
  [{}, "no message"],
  [{ meta: null }, "no meta: the node kept no result of the transaction"],
  [{ version: 2 }, "the version is another than legacy, 0 and 1"],
  [{ meta: { err: null, preBalances: [1], postBalances: [] } }, "the balances are none"],
  [
    { meta: { err: null, innerInstructions: [{ index: 7, instructions: [] }] } },
    "inner instructions belong to no instruction"
  ]
])("refuses %j", (change, reason) => {
  const json = reason === "no message" ? {} : { ...jsonOf({ instructions: nested }), ...change }
  expect(readTransaction(json)).toEqual({ _tag: "MalformedTransaction", reason })
})

it("refuses data that is no base58, and indices of no account", () => {
  const json = jsonOf({ instructions: nested })
  const { message } = json.transaction
  const withInstruction = (change: object) =>
    readTransaction({
      ...json,
      transaction: {
        ...json.transaction,
        message: { ...message, instructions: [{ ...message.instructions[0], ...change }] }
      }
    })
  expect(withInstruction({ data: "0" })).toMatchObject({
    reason: "the data of an instruction is no base58"
  })
  expect(withInstruction({ accounts: [99] })).toMatchObject({
    reason: "an instruction lists an account that is none"
  })
  expect(withInstruction({ programIdIndex: -1 })).toMatchObject({
    reason: "an instruction has no program"
  })
})

it("orders paths as instructions run, and has none for those beyond its bits", () => {
  const paths = [pathOf(0, null), pathOf(0, 0), pathOf(0, 254), pathOf(1, null), pathOf(255, 254)]
  expect(paths).toEqual([0, 1, 255, 256, 65_535])
  expect(paths.map(path => pathText(path ?? -1))).toEqual(["0", "0.0", "0.254", "1", "255.254"])
  expect([pathOf(0, 255), pathOf(256, null)]).toEqual([null, null])
})

it("reads transfers that the node has parsed", () => {
  const json = jsonOf({ instructions: [transferOf("a", "b", 5n)] })
  const move = (program: string, parsed: object) => {
    const read = readTransaction({
      ...json,
      transaction: {
        ...json.transaction,
        message: {
          accountKeys: json.transaction.message.accountKeys.map(pubkey => ({ pubkey })),
          instructions: [{ programId: program, parsed }]
        }
      }
    })
    return read._tag === "Transaction" ? read.instructions[0]?.move : read.reason
  }
  const token = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
  const system = "11111111111111111111111111111111"
  const info = { source: "a", destination: "b" }
  expect([
    move(token, { type: "transfer", info: { ...info, amount: "5" } }),
    move(token, {
      type: "transferCheckedWithFee",
      info: { ...info, tokenAmount: { amount: "5" }, feeAmount: { amount: "1" } }
    }),
    move(token, { type: "mintTo", info: { account: "b", amount: "7" } }),
    move(system, { type: "transfer", info: { ...info, lamports: 9 } }),
    move("else", { type: "transfer", info: { ...info, amount: "5" } })
  ]).toEqual([
    { native: false, from: "a", to: "b", amount: 5n, fee: 0n },
    { native: false, from: "a", to: "b", amount: 5n, fee: 1n },
    { native: false, from: null, to: "b", amount: 7n, fee: 0n },
    { native: true, from: "a", to: "b", amount: 9n, fee: 0n },
    null
  ])
})

it("reads documents of every form", () => {
  const json = jsonOf({ instructions: nested })
  const tags = (value: unknown) => readDocument(value).map(({ _tag }) => _tag)
  expect(tags(json)).toEqual(["Transaction"])
  expect(tags({ jsonrpc: "2.0", id: 1, result: json })).toEqual(["Transaction"])
  expect(tags({ transactions: [json, json] })).toEqual(["Transaction", "Transaction"])
  expect(tags([json, { transactions: [json] }])).toEqual(["Transaction", "Transaction"])
  expect(tags({ jsonrpc: "2.0", id: 1, result: null })).toEqual([])
  expect(tags({ jsonrpc: "2.0", id: 1, error: {} })).toEqual(["MalformedTransaction"])
  expect(tags("text")).toEqual(["MalformedTransaction"])
})
