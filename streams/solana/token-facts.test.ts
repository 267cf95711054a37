/** Accounts of tokens in each form, of real programs where there are some, and any bytes. */
import {
  type Address,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress
} from "@solana/kit"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { rounds } from "../../test/support/rounds.ts"
import { type Random, random } from "../../test/support/seed.ts"
import { failureOf, landed } from "../../test/support/solana-bank.ts"
import { dataOf, metadataData, mintData } from "../sources/solana-devchain/account-data.ts"
import { METADATA, SYSTEM, TOKEN, TOKEN_2022, USDC } from "../sources/solana-devchain/addresses.ts"
import { Bank } from "../sources/solana-devchain/bank.ts"
import { makeGenesis } from "../sources/solana-devchain/genesis.ts"
import { pays, writes } from "../sources/solana-devchain/instruction-accounts.ts"
import { metaplexAccountOf, readMetaplex } from "./metaplex-account.ts"
import { readMint } from "./mint-account.ts"
import { tokenFact } from "./token-facts.ts"

const addressBytes = getAddressEncoder()
const MINT = USDC
const OTHER = TOKEN
const PDA = "5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq"

const u16 = (value: number): Uint8Array => Uint8Array.of(value & 255, value >> 8)

const borsh = (text: string): Uint8Array => {
  const bytes = Buffer.from(text)
  return Buffer.concat([dataOf(4, [[0, u16(bytes.length)]]), bytes])
}

type Extension = readonly [type: number, value: Uint8Array]

/** A mint of Token-2022 with extensions behind it. */
const extended = (...extensions: ReadonlyArray<Extension>): Uint8Array =>
  Buffer.concat([
    mintData(9, 5n),
    new Uint8Array(83),
    Uint8Array.of(1),
    ...extensions.flatMap(([type, value]) => [u16(type), u16(value.length), value])
  ])

const texts = (mint: Address, ...words: ReadonlyArray<string>): Extension => [
  19,
  Buffer.concat([
    new Uint8Array(32),
    addressBytes.encode(mint),
    ...words.map(borsh)
  ] as Uint8Array[])
]

const pointer = (to: Address): Extension => [18, dataOf(64, [[32, to]])]

const fee = (basisPoints: number): Extension => [1, dataOf(108, [[106, u16(basisPoints)]])]

const of = (data: Uint8Array, owner: string = TOKEN_2022) => ({ owner, data })

const metaplex = (name: string, symbol: string, mint: Address = MINT) =>
  of(metadataData(mint, name, symbol), METADATA)

const nothing = {
  ...{ token: MINT, symbol: null, name: null, decimals: null, totalSupply: null, source: "call" }
}

it("is read of a mint of either program and of its account at Metaplex", () => {
  const mint = mintData(6, 2n ** 64n - 1n)
  for (const owner of [TOKEN, TOKEN_2022]) {
    expect(tokenFact(MINT, of(mint, owner), metaplex("USD Coin", "USDC"))).toEqual({
      ...nothing,
      ...{ symbol: "USDC", name: "USD Coin", decimals: 6, totalSupply: 2n ** 64n - 1n }
    })
  }
  expect(tokenFact(MINT, of(mint), null)).toMatchObject({ decimals: 6, name: null, symbol: null })
})

it("is read of a mint that holds its own texts", () => {
  const data = extended(
    ...[[3, new Uint8Array(32)] as const, pointer(MINT), fee(250)],
    ...[texts(MINT, "Own", "OWN", "https://own.example"), [77, new Uint8Array(3)] as const]
  )
  expect(readMint(MINT, of(data))).toEqual({
    ...{ decimals: 9, supply: 5n, textsIn: MINT, transferFeeBasisPoints: 250 },
    texts: { name: "Own", symbol: "OWN", uri: "https://own.example" }
  })
  expect(tokenFact(MINT, of(data), metaplex("Other", "OTH"))).toMatchObject({ name: "Own" })
})

it("has its texts where the mint says that they are", () => {
  const own = texts(MINT, "Own", "OWN", "")
  const nameOf = (...extensions: ReadonlyArray<Extension>) =>
    tokenFact(MINT, of(extended(...extensions)), metaplex("There", "THR")).name
  expect(nameOf()).toBe("There")
  expect(nameOf(own)).toBe("Own")
  expect(nameOf(pointer(PDA as Address), own)).toBe("There")
  expect(nameOf(pointer(OTHER), own)).toBeNull()
  expect(nameOf(pointer(SYSTEM), own)).toBe("Own")
  // nothing of its own, or that of another mint
  expect(nameOf(pointer(MINT), texts(MINT, "", "\0", ""))).toBe("There")
  expect(nameOf(pointer(MINT), texts(OTHER, "Own", "OWN", ""))).toBe("There")
})

it("shows no text that could not be shown, and cuts long ones", () => {
  const { name, symbol } = tokenFact(
    MINT,
    of(extended(texts(MINT, "a\0b\u202ec\n", "🦄".repeat(200), "x".repeat(400)))),
    null
  )
  expect([name, symbol]).toEqual(["abc", "🦄".repeat(64)])
  const bytes = Buffer.concat([extended(texts(MINT, "broken", "B", ""))])
  bytes[bytes.indexOf("broken")] = 0xff
  expect(tokenFact(MINT, of(bytes), null).name).toBe("roken")
})

it("is read of an account of which the end is missing", () => {
  const data = extended(fee(1), texts(MINT, "Own", "OWN", "https://own.example"))
  const read = (bytes: number) => readMint(MINT, of(data.subarray(0, bytes)))?.texts
  expect(read(data.length - 1)).toEqual({ name: "Own", symbol: "OWN", uri: null })
  expect(read(data.length - 24)).toEqual({ name: "Own", symbol: null, uri: null })
  expect(read(data.length - 40)).toBeNull()
})

it.each([
  ["an account of another program", of(mintData(6, 1n), METADATA)],
  ["an extended one of the older program", of(extended(fee(1)), TOKEN)],
  ["no bytes", of(new Uint8Array(0))],
  ["too few bytes", of(mintData(6, 1n).subarray(0, 81))],
  ["a mint that is not there yet", of(dataOf(82, [[44, 6]]))],
  ["an account of tokens", of(dataOf(165, [[45, 1]]))],
  [
    "an extended account of tokens",
    of(
      dataOf(170, [
        ...([
          [45, 1],
          [165, 2]
        ] as const)
      ])
    )
  ],
  [
    "several signers",
    of(
      dataOf(355, [
        ...([
          [45, 1],
          [165, 1]
        ] as const)
      ])
    )
  ]
])("is nothing of %s", (_, account) => {
  expect(tokenFact(MINT, account, metaplex("Name", "SYM"))).toEqual(nothing)
})

it("takes no texts of an account that is not Metaplex's of this mint", () => {
  const { data } = metaplex("Name", "SYM")
  const nameOf = (account: { readonly owner: string; readonly data: Uint8Array }) =>
    tokenFact(MINT, of(mintData(6, 1n)), account).name
  expect(nameOf(of(data, METADATA))).toBe("Name")
  expect(nameOf(of(data, TOKEN))).toBeNull()
  expect(nameOf(metaplex("Name", "SYM", OTHER))).toBeNull()
  expect(nameOf(of(data.with(0, 6), METADATA))).toBeNull()
  expect(nameOf(of(data.subarray(0, 64), METADATA))).toBeNull()
  expect(nameOf(of(data.with(68, 255), METADATA))).toBeNull()
})

it("takes no fee that no transfer can cost", () => {
  const feeOf = (...extensions: ReadonlyArray<Extension>) =>
    readMint(MINT, of(extended(...extensions)))?.transferFeeBasisPoints
  expect([feeOf(), feeOf(fee(0)), feeOf(fee(10_000)), feeOf(fee(10_001))]).toEqual([
    ...[null, 0, 10_000, null]
  ])
  expect(feeOf([1, new Uint8Array(107)])).toBeNull()
})

/** The first part of MEW's account at Metaplex, mainnet, slot 260829184. */
const MEW_TEXTS =
  "BDEpM9Ord5wKt0MA0ymbKmWB1PDhkGKl7XrsRv9HzYC+BS7hgziWlp+M0c1GgxjFmMfgWJYHSlkcKuCYYC8WgAAgAAAA" +
  "Y2F0IGluIGEgZG9ncyB3b3JsZAAAAAAAAAAAAAAAAAAKAAAATUVXAAAAAAAAAMgAAABodHRwczovL2JhZmtyZWlldW81" +
  "YjdhYXZ2bTR1MmVhZmZ3aHpuNTNnN3Q0NWFjMjZpc292ZndsdXY2NTNsdmM1dTRpLmlwZnMubmZ0c3RvcmFnZS5saW5rLwAA"

it("reads a real account of Metaplex", () => {
  const data = Buffer.concat([Buffer.from(MEW_TEXTS, "base64"), new Uint8Array(400)])
  const mint = "MEW1gQWJ3nEXg2qgERiKu7FAFj79PHvQVREQUzScPP5"
  const page = "bafkreieuo5b7aavvm4u2eaffwhzn53g7t45ac26isovfwluv653lvc5u4i.ipfs.nftstorage.link"
  expect(readMetaplex(mint, of(data, METADATA))).toEqual({
    ...{ name: "cat in a dogs world", symbol: "MEW", uri: `https://${page}/` }
  })
})

it("finds the account at Metaplex as the official client does", async () => {
  expect(metaplexAccountOf(USDC)).toBe(PDA)
  expect([metaplexAccountOf(""), metaplexAccountOf("0".repeat(40))]).toEqual([null, null])
  for (let i = 0; i < rounds(40); i++) {
    const { address } = await generateKeyPairSigner()
    const seeds = ["metadata", ...[METADATA, address].map(one => addressBytes.encode(one))]
    const [pda] = await getProgramDerivedAddress({ programAddress: METADATA, seeds })
    expect(metaplexAccountOf(address)).toBe(pda)
  }
})

it("reads what the program of Token-2022 writes", async () => {
  const genesis = await Effect.runPromise(
    makeGenesis({ seed: "mint", users: 1, pooled: 1, curves: 1 })
  )
  const bank = new Bank(genesis, 100, 1_700_000_000)
  const [user, mint] = [genesis.users[0]!, await generateKeyPairSigner()]
  const space = 166 + 4 + 108 + 4 + 64
  const call = (...data: ReadonlyArray<number | Uint8Array>) => ({
    ...{ programAddress: TOKEN_2022, accounts: [writes(mint.address)] },
    data: Buffer.concat(data.map(one => (typeof one === "number" ? Uint8Array.of(one) : one)))
  })
  const key = (address: Address) => addressBytes.encode(address) as Uint8Array
  await landed(
    ...[bank, user],
    {
      ...{ programAddress: SYSTEM, accounts: [pays(user.signer), pays(mint)] },
      data: dataOf(52, [
        [4, 10n ** 9n],
        [12, BigInt(space)],
        [20, TOKEN_2022]
      ])
    },
    // InitializeTransferFeeConfig: no authorities, basis points, the most that is taken
    call(
      26,
      0,
      0,
      0,
      dataOf(10, [
        [0, u16(123)],
        [2, 1_000n]
      ])
    ),
    // MetadataPointer, Initialize: no authority
    call(39, 0, new Uint8Array(32), key(OTHER)),
    // InitializeMint2: who may mint, and nobody who may freeze
    call(20, 7, key(user.signer.address), 0)
  )
  expect(failureOf(bank)).toBeNull()
  const account = bank.account(mint.address)
  if (!account.exists) throw new Error("no mint")
  const { programAddress: owner, data } = account
  expect([data.length, readMint(mint.address, { owner, data: new Uint8Array(data) })]).toEqual([
    space,
    { decimals: 7, supply: 0n, textsIn: OTHER, texts: null, transferFeeBasisPoints: 123 }
  ])
})

const anyBytes = (draw: Random, most: number): Uint8Array =>
  Uint8Array.from({ length: draw.integer(0, most) }, () => draw.integer(0, 255))

it("reads any bytes, and any change of what is well formed, without an exception", () => {
  const draw = random("token facts")
  const forms = [
    ...[mintData(6, 1n), metaplex("Name", "SYM").data],
    extended(pointer(MINT), fee(3), texts(MINT, "Own", "OWN", "https://own.example"))
  ]
  const drawn = () => {
    if (draw.boolean(0.3)) return anyBytes(draw, 700)
    const data = Uint8Array.from(draw.pick(forms))
    for (let changes = draw.integer(1, 8); changes > 0; changes--)
      data[draw.integer(0, data.length - 1)] = draw.integer(0, 255)
    return draw.boolean(0.3) ? data.subarray(0, draw.integer(0, data.length)) : data
  }
  for (let i = 0; i < rounds(8_000); i++) {
    const account = of(drawn(), draw.pick([TOKEN, TOKEN_2022, METADATA]))
    const fact = tokenFact(MINT, account, of(drawn(), METADATA))
    const { decimals, totalSupply, name, symbol } = fact
    expect(decimals === null).toBe(totalSupply === null)
    expect(decimals ?? 0).toBeLessThan(256)
    expect((totalSupply ?? 0n) < 2n ** 64n).toBe(true)
    if (decimals === null) expect([name, symbol]).toEqual([null, null])
    expect([...(name ?? "")].length).toBeLessThanOrEqual(128)
    expect([...(symbol ?? "")].length).toBeLessThanOrEqual(64)
    expect(`${name}${symbol}`).not.toMatch(/[\p{Cc}\u202e\ufffd]/u)
  }
})
