/** Scanned blocks against the same text parsed whole. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { random } from "../../../test/support/seed.ts"
import { describeWithSharedData, sharedData } from "../../../test/support/shared-data.ts"
import { nothingChecked, withBlock, withChecked } from "../checked-transactions.ts"
import { addressOf, jsonOf, type Made } from "../made-transaction.ts"
import { solanaVenues, venuesByProgram as venues } from "../venues.ts"
import { ProgramNames } from "./program-names.ts"
import { readAnsweredBlock } from "./read-answer.ts"
import { readDocument } from "./read-document.ts"

const watched = new ProgramNames(venues.keys())

const [HASH, BEFORE] = [addressOf(77), addressOf(76)]
const HEAD = {
  ...{ blockHeight: 4, blockTime: 9, blockhash: HASH, parentSlot: 6, previousBlockhash: BEFORE }
}

const read = (text: string, names = watched) => {
  const bytes = Buffer.from(`  ${text}`)
  return readAnsweredBlock(bytes, 2, bytes.length, names, 7)
}

const blockOf = (transactions: ReadonlyArray<unknown>, more: object = {}) => ({
  ...{ ...HEAD, ...more, transactions }
})

const PROGRAM = addressOf(7)
const names = new ProgramNames([PROGRAM])
const made = (program: string, more: Partial<Made> = {}) => {
  const {
    slot: _,
    blockTime: __,
    ...json
  } = jsonOf({
    ...{ instructions: [{ program, accounts: ["a"], data: Uint8Array.of(1) }], ...more }
  })
  json.transaction.signatures = [`of ${program}`.padEnd(88, "s")]
  return json
}

it("reads what names a watched program and did not fail, and counts the rest", () => {
  const all = [made(PROGRAM), made(addressOf(8)), made(PROGRAM, { failed: true })]
  const found = read(JSON.stringify({ jsonrpc: "2.0", result: blockOf(all), id: 1 }), names)
  expect(found).toMatchObject({
    ...{ _tag: "AnsweredBlock", slot: 7, hash: HASH, parentSlot: 6, parentHash: BEFORE },
    ...{ height: 4, timeSeconds: 9, failed: 1 },
    signatures: all.map(one => one.transaction.signatures[0]),
    transactions: [{ _tag: "Transaction", slot: 7, blockTimeSeconds: 9 }]
  })
})

it("reads what cannot be judged: a result that is missing, and texts with escapes", () => {
  const escaped = JSON.stringify(made(addressOf(8))).replace('"payer"', '"p\\u0061yer"')
  const lost = { ...made(addressOf(8)), meta: null }
  const begun = JSON.stringify(blockOf([lost])).slice(0, -2)
  const found = read(`${begun},${escaped}]}`, names)
  expect(found).toMatchObject({
    transactions: [
      { reason: "no meta: the node kept no result of the transaction" },
      { _tag: "Transaction", feePayer: "payer" }
    ]
  })
})

it("reads the signatures alone, and the block alone", () => {
  expect(read(JSON.stringify({ ...HEAD, signatures: ["a", "b"] }))).toMatchObject({
    ...{ signatures: ["a", "b"], transactions: [], failed: 0 }
  })
  expect(read(JSON.stringify(HEAD))).toMatchObject({ signatures: [], hash: HASH })
})

const unreadable = (reason: string, isJson = true) => ({ _tag: "UnreadableBlock", isJson, reason })
const CUT = unreadable("the text is cut off, or no JSON", false)

it.each([
  ['{"jsonrpc":"2.0","error":{"code":-32004,"message":"x"},"id":1}', { _tag: "NoBlockScanned" }],
  ['{"jsonrpc":"2.0","result":null,"id":1}', { _tag: "NoBlockScanned" }],
  ["<html>", unreadable("no JSON object", false)],
  ["", unreadable("no JSON object", false)],
  [JSON.stringify(blockOf([made(PROGRAM)])).slice(0, -1), CUT],
  [JSON.stringify(blockOf([made(PROGRAM)])).slice(0, -40), CUT],
  [`${JSON.stringify(HEAD)}x`, CUT],
  ['{"transactions":[5]}', CUT],
  ['{"transactions":["', CUT],
  ['{"a":"b\\', CUT],
  ['{"blockhash":"a"}', unreadable("a block without hash, parent or signatures")],
  [
    JSON.stringify({ ...HEAD, signatures: [1] }),
    unreadable("a block without hash, parent or signatures")
  ],
  [
    JSON.stringify({ ...HEAD, blockhash: `${HASH.slice(0, 43)}0` }),
    unreadable(`the hash "${HASH.slice(0, 43)}0" is no base58 of 32 bytes`)
  ],
  [
    JSON.stringify({ ...HEAD, blockhash: HASH.slice(3) }),
    unreadable(`the hash "${HASH.slice(3)}" is no base58 of 32 bytes`)
  ],
  [
    JSON.stringify({ ...HEAD, previousBlockhash: "x".repeat(60) }),
    unreadable(`the hash "${"x".repeat(44)}" is no base58 of 32 bytes`)
  ],
  [JSON.stringify({ ...HEAD, blockTime: -9 }), unreadable("blockTime is told as -9")],
  [JSON.stringify({ ...HEAD, blockTime: "9" }), unreadable('blockTime is told as "9"')],
  [JSON.stringify({ ...HEAD, blockTime: 2 ** 53 }), unreadable(`blockTime is told as ${2 ** 53}`)],
  [JSON.stringify({ ...HEAD, blockHeight: 4.5 }), unreadable("blockHeight is told as 4.5")]
])("says of %s that it is none", (text, found) => {
  expect(read(text)).toEqual(found)
})

describeWithSharedData("real transactions", ["solana"], () => {
  const folder = join(sharedData, "solana")
  const swaps = ["tx", "tx-parsed"].flatMap(part =>
    readdirSync(join(folder, part)).map(
      name => JSON.parse(readFileSync(join(folder, part, name), "utf8")) as object
    )
  )
  const packed = readFileSync(join(folder, "block-100356971.json.gz"))
  const { result } = JSON.parse(gunzipSync(packed).toString()) as {
    readonly result: { readonly transactions: ReadonlyArray<object> }
  }

  it.each([0, 1])("scanned, give the same swaps as parsed whole: indented by %i", indent => {
    const draw = random(`solana blocks ${indent}`)
    const few = result.transactions.filter(() => draw.boolean(0.2))
    const text = JSON.stringify(blockOf(draw.shuffle([...few, ...swaps])), null, indent)
    const block = read(text)
    if (block._tag !== "AnsweredBlock") throw new Error(block._tag)
    let whole = nothingChecked(solanaVenues)
    for (const one of readDocument(JSON.parse(text))) {
      if (one._tag === "Transaction") whole = withChecked(whole, one, venues)
    }
    expect(block.signatures.length).toBe(few.length + swaps.length)
    expect(block.transactions.length).toBeLessThan(few.length)
    expect(withBlock(nothingChecked(solanaVenues), block, venues)).toEqual(whole)
  })
})
