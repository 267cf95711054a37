import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { fromHex, toHex } from "../../../src/domain/address.ts"
import { temporaryFolder } from "../../../test/support/nats.ts"
import { type Random, random } from "../../../test/support/seed.ts"
import { readTxFacts, TxFacts } from "./tx-facts.ts"
import { TxScanner } from "./tx-scanner.ts"

let folder: ReturnType<typeof temporaryFolder>
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => folder.remove())

const hex = ({ bits }: Random, bytes: number): string =>
  `0x${bits(bytes * 8)
    .toString(16)
    .padStart(bytes * 2, "0")}`

const found = (facts: TxFacts, hash: string) => {
  const place = facts.find(fromHex(hash))
  if (place < 0) return null
  const to = facts.to(place)
  return [toHex(facts.from(place)), to === null ? null : toHex(to)]
}

it("finds what was told last of each transaction", () => {
  const r = random("transaction facts")
  const addresses = Array.from({ length: 300 }, () => hex(r, 20))
  const told = new Map<string, readonly [string, string | null]>()
  const facts = new TxFacts()
  const known: Array<string> = []
  for (let i = 0; i < 40_000; i++) {
    const isKnown = i > 0 && r.integer(0, 9) === 0
    // equal in their first bytes, by which they are looked up
    const fresh = r.integer(0, 99) === 0 ? `0x00000000${hex(r, 28).slice(2)}` : hex(r, 32)
    const hash = isKnown ? r.pick(known) : fresh
    const from = r.pick(addresses)
    const to = r.integer(0, 9) === 0 ? null : r.pick(addresses)
    if (!told.has(hash)) known.push(hash)
    told.set(hash, [from, to])
    facts.add(fromHex(hash), fromHex(from), to === null ? null : fromHex(to))
  }
  for (const [hash, parties] of told) expect(found(facts, hash)).toEqual(parties)
  expect(found(facts, hex(r, 32))).toBe(null)
  expect(facts.find(new Uint8Array(32))).toBe(-1)
})

const CHAIN = 8453

/** A line, and the transaction of the chain that it tells of. */
const randomLine = (r: Random) => {
  const [hash, from, target] = [hex(r, 32), hex(r, 20), hex(r, 20)]
  const to = r.pick([target, target, target, null])
  const chainId = r.pick([undefined, CHAIN, "0x2105", 1])
  const name = r.pick(["hash", "transactionHash"])
  const more = r.pick([{}, { input: "0xa\\b" }, { accessList: [] }, { value: "0x1", nonce: 3 }])
  const text = JSON.stringify({ chainId, [name]: hash, ...more, from, to })
  const spaced = text.replaceAll(":", r.pick([":", ": "])) + r.pick(["", "\r", " "])
  return { line: spaced, hash, parties: chainId === 1 ? null : ([from, to] as const) }
}

it("reads lines of every shape, over the borders of what is read at once", async () => {
  const r = random("transaction file")
  const lines = Array.from({ length: 12_000 }, () => randomLine(r))
  const path = join(folder.path, "txs.ndjson")
  const between = () => r.pick(["\n", "\n", "\n\n", "\n \n"])
  const text = lines.map(({ line }) => line).reduce((all, line) => all + between() + line)
  expect(text.length).toBeGreaterThan(2 ** 21)
  for (const ending of ["", "\n"]) {
    writeFileSync(path, `\ufeff${text}${ending}`)
    const facts = await Effect.runPromise(readTxFacts([path], CHAIN))
    for (const { hash, parties } of lines) expect(found(facts, hash)).toEqual(parties)
  }
})

it("tells which line of which file it cannot read", async () => {
  const r = random("bad transactions")
  const { line } = randomLine(r)
  const path = join(folder.path, "bad.ndjson")
  const problems = {
    "{": "line 3 is not JSON",
    "7": "line 3 is not an object",
    [`{"hash":"0x12","from":"${hex(r, 20)}"}`]: "line 3 has no hash or no sender",
    [`{"hash":"${hex(r, 32)}","from":null,"to":"${hex(r, 20)}"}`]: "line 3 has no hash or no sender"
  }
  for (const [bad, problem] of Object.entries(problems)) {
    writeFileSync(path, `${line}\n\n${bad}\n${line}\n`)
    const result = await Effect.runPromise(Effect.result(readTxFacts([path], CHAIN)))
    expect(Result.isFailure(result) && result.failure.message).toBe(`${path}: ${problem}`)
  }
})

it("scans no line otherwise than JSON.parse does", () => {
  const r = random("transaction scanner")
  const scanner = new TxScanner()
  let read = 0
  for (let run = 0; run < 20_000; run++) {
    const { line } = randomLine(r)
    const at = r.integer(0, line.length - 1)
    const mutated =
      run % 2 === 0
        ? line
        : line.slice(0, at) + r.pick([...'{}[]":,\\ xX0afé-']) + line.slice(at + r.integer(0, 1))
    const bytes = Buffer.from(`9"}\n${mutated}\n3,"x":{`)
    if (!scanner.scan(bytes, 4, bytes.length - 8)) continue
    read++
    const { hash, transactionHash, from, to, chainId } = JSON.parse(mutated)
    expect(toHex(scanner.hash)).toBe((hash ?? transactionHash).toLowerCase())
    expect([toHex(scanner.from), toHex(scanner.to)]).toEqual([from.toLowerCase(), to.toLowerCase()])
    expect(scanner.chainId).toBe(chainId === undefined ? -1 : Number(chainId))
  }
  expect(read).toBeGreaterThan(4000)
})
