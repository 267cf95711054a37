/** Every transaction of the shared data, against what an independent decoder found in it. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { describeWithSharedData, sharedData } from "../../test/support/shared-data.ts"
import { decodeTransaction } from "./decode-transaction.ts"
import { hexOf } from "./payload.ts"
import { ammV4Output } from "./raydium-amm-v4/quote.ts"
import { raydiumAmmV4 } from "./raydium-amm-v4/venue.ts"
import { readBlock } from "./transaction/read-block.ts"
import { readTransaction } from "./transaction/read-transaction.ts"
import { pathText, type Transaction } from "./transaction.ts"
import { checkVaults } from "./vault-check.ts"
import { emptyTable, withTransaction } from "./venue-table.ts"
import { solanaVenues, venuesByProgram as venues } from "./venues.ts"

interface Expected {
  readonly signature: string
  readonly failed: boolean
  readonly instruction_path: ReadonlyArray<number>
  readonly venue: string
  readonly instruction: string
  readonly pool: string
  readonly user: string
  readonly event: string | null
  readonly vault_in: string
  readonly mint_in: string
  readonly vault_in_delta: string
  readonly vault_out: string
  readonly mint_out: string
  readonly vault_out_delta: string
}

const folder = join(sharedData, "solana")
const BLOCK = "solana/block-100356971.json.gz"
const isTransaction = (one: ReturnType<typeof readTransaction>): one is Transaction =>
  one._tag === "Transaction"

const read = (path: string): Transaction => {
  const one = readTransaction(JSON.parse(readFileSync(join(folder, path), "utf8")))
  if (!isTransaction(one)) throw new Error(`${path}: ${one.reason}`)
  return one
}

const files = (): ReadonlyArray<string> =>
  ["tx", "tx-parsed"].flatMap(part =>
    readdirSync(join(folder, part))
      .toSorted()
      .map(name => `${part}/${name}`)
  )

const expectedSwaps = (): ReadonlyArray<Expected> =>
  readFileSync(join(folder, "expected.jsonl"), "utf8")
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line) as Expected)

/** By how much less the event of Meteora DAMM v1 tells than the vault gained, by signature. */
const ROUNDED: { readonly [signature: string]: bigint } = {
  "2m6e4MBQ2wKiFhtc8d479C6SUKkqEiBzemwxSQVaSdr4zGHdoefxWz28u2rnCtUu7SfcgwWpEBDr3L5NZnEqffnv": 7n,
  "5pcpYhqJyyHHxVaa9mvchML6Njro5Chxv7EFjHPSwxVpdyGAt6uVhd1xUBmXe7ztiuhS1iHFgXm67nwr7mem5itu": 1977n
}

const roundingOf = ({ venue, signature }: Expected): bigint =>
  venue === "meteora-damm-v1" ? (ROUNDED[signature] ?? 0n) : 0n

const NATIVE = "So11111111111111111111111111111111111111112"
/** What the one deposit brings in beside SOL. */
const DEPOSITED = "9Zw3CR7NPD6hXNk5PZYpYKsvWv9puwr1eEaPxXRapump"
const mintOf = (told: string) => (told.startsWith("native SOL") ? NATIVE : told)

describeWithSharedData("real transactions", ["solana/tx", "solana/expected.jsonl"], () => {
  it("gives the swaps that were expected, and no other", () => {
    const found = files()
      .map(read)
      .flatMap(transaction =>
        decodeTransaction(transaction, venues).swaps.map(swap => ({
          signature: transaction.signature,
          path: pathText(swap.path),
          venue: swap.venue.name,
          instruction: swap.instruction,
          pool: swap.pool,
          user: swap.user,
          event: swap.event,
          in: [swap.in.vault, swap.in.mint, swap.in.amount],
          out: [swap.out.vault, swap.out.mint, swap.out.amount]
        }))
      )
    const expected = expectedSwaps()
      .filter(({ failed }) => !failed)
      .map(one => ({
        signature: one.signature,
        path: one.instruction_path.join("."),
        venue: one.venue,
        instruction: one.instruction,
        pool: one.pool,
        user: one.user,
        event: one.event === "EvtSwap" ? "EvtSwap2" : one.event,
        in: [one.vault_in, mintOf(one.mint_in), BigInt(one.vault_in_delta) - roundingOf(one)],
        out: [one.vault_out, mintOf(one.mint_out), -BigInt(one.vault_out_delta)]
      }))
    const order = (one: { readonly signature: string; readonly path: string }) =>
      `${one.signature} ${one.path.padStart(6)}`
    const sorted = <A extends Parameters<typeof order>[0]>(list: ReadonlyArray<A>) =>
      list.toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
    expect(sorted(found)).toEqual(sorted(expected))
  })

  it("lists the event authority of its program in each call to itself that tells an event", () => {
    const told = new Map<string, string | undefined>()
    for (const { instructions } of files().map(read)) {
      for (const { program, data, accounts } of instructions) {
        const name = venues.get(program)?.name
        if (name !== undefined && hexOf(data, 8) === "e445a52e51cb9a1d") told.set(name, accounts[0])
      }
    }
    const declared = solanaVenues.filter(({ name }) => told.has(name))
    expect(declared.length).toBeGreaterThanOrEqual(5)
    expect([...told].toSorted()).toEqual(
      declared.map(({ name, eventAuthority }) => [name, eventAuthority]).toSorted()
    )
  })

  it("finds each swap's amounts in the vaults", () => {
    let table = emptyTable(solanaVenues)
    for (const transaction of files().map(read)) {
      const decoded = decodeTransaction(transaction, venues)
      const checks = checkVaults(transaction, decoded.swaps)
      expect([decoded.refusals, checks.filter(({ verdict }) => verdict !== "ok")]).toEqual([[], []])
      table = withTransaction(table, decoded, checks)
    }
    const words = ["events", "swaps", "ok", "bad", "unchecked", "noParent", "otherEvents"] as const
    const rows = solanaVenues.flatMap(({ number, name }) => {
      const counters = words.map(word => table.get(number)?.[word] ?? null)
      return counters.every(counter => counter === 0) ? [] : [[name, ...counters]]
    })
    expect(rows).toEqual([
      ["raydium-amm-v4", 12, 12, 12, 0, 0, 0, 1],
      ["raydium-clmm", 3, 3, 3, 0, 0, 0, 3],
      ["raydium-cpmm", 1, 1, 1, 0, 0, 0, 0],
      ["raydium-launchlab", 1, 1, 1, 0, 0, 0, 0],
      ["orca-whirlpool", 4, 8, 8, 0, 0, 0, 0],
      ["meteora-dlmm", 5, 5, 5, 0, 0, 0, 0],
      ["meteora-damm-v1", 2, 2, 2, 0, 0, 0, 0],
      ["meteora-damm-v2", 2, 1, 1, 0, 0, 0, 0],
      ["pumpfun", 23, 12, 12, 0, 0, 0, 4],
      ["pumpswap", 6, 3, 3, 0, 0, 0, 0]
    ])
  })
})

describeWithSharedData("other events of real transactions", ["solana/tx"], () => {
  it("tells pools that are created, and their liquidity", () => {
    const found = files()
      .map(read)
      .flatMap(one => decodeTransaction(one, venues).poolEvents)
      .map(({ venue, event, facts }) => [venue.name, event, facts])
    expect(found).toEqual([
      [
        "raydium-clmm",
        "DecreaseLiquidityEvent",
        {
          kind: "liquidity",
          // as `LiquidityChangeEvent` of the same instruction names it
          pool: "GQsPr4RJk9AZkkfWHud7v4MtotcxhaYzZHdsPCg9vNvW",
          owner: "7T8ckKtdc5DH7ACS5AnCny7rVXYJPEsaAbdBri1FhPxY",
          position: "H1Wsr9tUcmCnuPbCSgz3uLPNuFRzLLJaSB4WLiX8W8qr",
          mints: [NATIVE, "6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN"],
          amounts: [0n, -1076965n]
        }
      ],
      [
        "raydium-clmm",
        "DecreaseLiquidityEvent",
        {
          kind: "fees",
          pool: "GQsPr4RJk9AZkkfWHud7v4MtotcxhaYzZHdsPCg9vNvW",
          owner: "7T8ckKtdc5DH7ACS5AnCny7rVXYJPEsaAbdBri1FhPxY",
          position: "H1Wsr9tUcmCnuPbCSgz3uLPNuFRzLLJaSB4WLiX8W8qr",
          mints: [NATIVE, "6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN"],
          amounts: [7912976n, 85694n]
        }
      ],
      [
        "pumpfun",
        "CreateEvent",
        {
          kind: "created",
          pool: "6qK8Cazc6dqMSCfgN455J7aw1hHgknb6PeY8gjkAL4BE",
          mints: ["7F7TeMsGutc2YpxeH7U3PiFLwG2FygN2jMLeDKAXNbwu", NATIVE],
          fee: null,
          spacing: null
        }
      ],
      [
        "pumpfun",
        "CreateEvent",
        {
          kind: "created",
          pool: "FFzxakVNzpirwMFtLyD22UZ6UM3KLF2EAGC2RxNPaYoH",
          mints: ["ER2N5eaDoC68kNhj7LyaScimzq7deaqxiw88rewvxaKp", NATIVE],
          fee: null,
          spacing: null
        }
      ],
      [
        "raydium-amm-v4",
        "Deposit",
        {
          kind: "liquidity",
          pool: "43QDFSth4Fu2JFVKto13zASQu8Dc7RL6wkUqksgeYvqq",
          owner: "5z4giZ7YjS7LMGYfPjCUA8qUUxNSFm3Ru3xGtKCziqb6",
          position: null,
          mints: [DEPOSITED, NATIVE],
          amounts: [214323699689057n, 1000000n],
          // in the same proportion
          before: [8751348248975322n, 40832387n]
        }
      ]
    ])
  })

  it("finds what a position gave back and its fees in the vaults of the pool", () => {
    const paid = files()
      .map(read)
      .map(one => ({ one, told: decodeTransaction(one, venues).poolEvents }))
      .find(({ told }) => told.some(({ facts }) => facts.kind === "fees"))
    const gains = [...(paid?.one.tokenBalances.values() ?? [])]
      .filter(({ owner }) => owner === "GQsPr4RJk9AZkkfWHud7v4MtotcxhaYzZHdsPCg9vNvW")
      .map(({ mint, before, after }) => [mint, after - before])
    expect(gains).toEqual(
      expect.arrayContaining([
        [NATIVE, -7912976n],
        ["6p6xgHyF7AeE6TZkSmFsko444wqoP15icUSqi2jfGiPN", -1076965n - 85694n]
      ])
    )
  })

  it("finds a deposit's amounts in the vaults of the pool", () => {
    const deposit = files()
      .map(read)
      .find(one =>
        decodeTransaction(one, venues).poolEvents.some(({ event }) => event === "Deposit")
      )
    const gains = [...(deposit?.tokenBalances.values() ?? [])]
      .filter(({ owner }) => owner === "5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1")
      .map(({ mint, before, after }) => [mint, after - before])
    expect(gains).toEqual([
      [DEPOSITED, 214323699689057n],
      [NATIVE, 1000000n]
    ])
  })

  it("quotes each swap of Raydium AMM v4 to the unit, of the reserves before it", () => {
    const swaps = files()
      .map(read)
      .flatMap(one => decodeTransaction(one, venues).swaps)
      .filter(({ venue }) => venue === raydiumAmmV4)
    const quotes = swaps.map(({ after, in: paid, out }) => {
      if (after?.kind !== "reserves") return null
      const before = { in: after.in - paid.amount, out: after.out + out.amount }
      return ammV4Output(before, paid.amount)
    })
    expect(quotes).toHaveLength(12)
    expect(quotes).toEqual(swaps.map(({ out }) => out.amount))
  })

  it("tells which token came in such that prices after swaps are near to what was paid", () => {
    const swaps = files()
      .map(read)
      .flatMap(one => decodeTransaction(one, venues).swaps)
    const ratios = swaps.flatMap(({ venue, inIsFirst, after, in: paid, out }) => {
      if (after?.kind !== "price") return []
      const [first, second] = inIsFirst ? [paid.amount, out.amount] : [out.amount, paid.amount]
      const price = (Number(after.sqrtPriceX64) / 2 ** 64) ** 2
      return [[venue.name, inIsFirst, (Number(second) / Number(first) / price).toFixed(2)]]
    })
    expect(ratios).toEqual([
      ["meteora-damm-v2", false, "1.00"],
      ["orca-whirlpool", false, "1.01"],
      ["orca-whirlpool", false, "1.00"],
      ["raydium-clmm", false, "1.00"],
      ["raydium-clmm", true, "0.97"],
      ["orca-whirlpool", true, "1.00"],
      ["orca-whirlpool", true, "1.00"],
      ["raydium-clmm", false, "1.00"]
    ])
    // its event has the first form, which names no mints
    const unknown = swaps.filter(({ inIsFirst }) => inIsFirst === null)
    expect(unknown.map(({ venue }) => venue.name)).toEqual(["raydium-cpmm"])
  })

  it("takes the wallet that signed for the trader where a program trades for it", () => {
    const found = files()
      .map(read)
      .flatMap(one => decodeTransaction(one, venues).swaps)
      .filter(({ user, trader }) => user !== trader)
      .map(({ user, trader }) => `${user.slice(0, 5)} for ${trader.slice(0, 5)}`)
    expect(found).toEqual([
      "GGztQ for 8VCfQ",
      "6ZaWy for EcMXE",
      "6TYDx for EcMXE",
      "6U91a for 7HK4m",
      "6U91a for 7HK4m",
      "6LXut for Ex2F9",
      "6LXut for Ex2F9",
      "GGztQ for 6oHyp",
      "GGztQ for 6oHyp",
      "4xDsm for GH6Sn",
      "4xDsm for GH6Sn"
    ])
  })
})

describeWithSharedData("longer lists of accounts", ["solana/tx"], () => {
  it("change no swap but those of Raydium AMM v4, whose accounts count from the end", () => {
    const swapsOf = (one: Transaction) =>
      decodeTransaction(one, venues).swaps.filter(({ venue }) => venue !== raydiumAmmV4)
    let compared = 0
    for (const one of files().map(read)) {
      const more = ["one", "more", "and", "another"]
      const instructions = one.instructions.map(call => ({
        ...call,
        // a call to itself that tells an event lists one account in all versions
        accounts: call.accounts.length > 1 ? [...call.accounts, ...more] : call.accounts
      }))
      expect(swapsOf({ ...one, instructions })).toEqual(swapsOf(one))
      compared += swapsOf(one).length
    }
    expect(compared).toBe(36)
  })
})

describeWithSharedData("a real block without swaps", [BLOCK], () => {
  it("reads every transaction of it, and finds no swap", () => {
    const text = gunzipSync(readFileSync(join(sharedData, BLOCK))).toString()
    const { result } = JSON.parse(text) as { readonly result: unknown }
    const all = readBlock(result) ?? []
    const transactions = all.filter(isTransaction)
    expect([all.length, transactions.length]).toEqual([1127, 1127])
    expect(transactions.filter(({ failed }) => failed)).toHaveLength(107)
    expect(new Set(transactions.map(({ log }) => log))).toEqual(new Set(["complete"]))
    const decoded = transactions.map(one => decodeTransaction(one, venues))
    expect(decoded.flatMap(({ swaps, refusals }) => [...swaps, ...refusals])).toEqual([])
  })
})
