/** What tokens say, read of nodes that are behind, that refuse, or that tell anything. */
import { getAddressEncoder } from "@solana/kit"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { toBase58 } from "../../../src/domain/base58.ts"
import { FakeSolana, type Fault } from "../../../test/support/fake-solana.ts"
import { testNodes } from "../../../test/support/solana-nodes.ts"
import { openSource } from "../../../test/support/solana-reading.ts"
import type { SourceError } from "../../source.ts"
import { metadataData, mintData } from "../solana-devchain/account-data.ts"
import { METADATA, SYSTEM, TOKEN, TOKEN_2022, USDC } from "../solana-devchain/addresses.ts"
import { ACCOUNT_BYTES } from "./told-accounts.ts"

const { servers, nodeOf: startNode } = testNodes()

type Told = object | null

const account = (owner: string, data: Uint8Array | string) => ({
  ...{ executable: false, lamports: 1, owner, rentEpoch: 0, space: data.length },
  data: [typeof data === "string" ? data : Buffer.from(data).toString("base64"), "base64"]
})

const mint = account(TOKEN, mintData(6, 77n))

const accountsAnswer = (value: unknown) => ({ result: { context: { slot: 5 }, value } })

/** A node with accounts alone; what else it is asked it answers as a node does. */
const nodeOf = (told: (addresses: ReadonlyArray<string>) => object | null) => {
  const fault: Fault = ({ method, params }) =>
    method === "getMultipleAccounts" ? told(params[0] as ReadonlyArray<string>) : null
  return startNode(new FakeSolana(), fault)
}

const honest = (known: ReadonlyMap<string, Told>) => (addresses: ReadonlyArray<string>) =>
  accountsAnswer(addresses.map(one => known.get(one) ?? null))

const known = new Map<string, Told>([[USDC, mint]])

/** What was asked of the servers so far, of accounts alone. */
const requests = (at: number) =>
  servers[at]!.requests.map(({ body }) => JSON.parse(body)).filter(
    ({ method }) => method === "getMultipleAccounts"
  )

const read = (urls: ReadonlyArray<string>, mints: ReadonlyArray<string> = [USDC]) =>
  Effect.runPromise(openSource(urls).tokens(mints))

const refusal = (urls: ReadonlyArray<string>, mints: ReadonlyArray<string> = [USDC]) =>
  Effect.runPromise(Effect.flip(openSource(urls).tokens(mints)) as Effect.Effect<SourceError>)

const nothing = { symbol: null, name: null, decimals: null, totalSupply: null, source: "call" }

const fact = { ...nothing, token: USDC, decimals: 6, totalSupply: 77n }

/** Addresses of which no two are the same. */
const mintsOf = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => {
    const bytes = new Uint8Array(32).fill(9)
    new DataView(bytes.buffer).setUint32(0, i)
    return toBase58(bytes)
  })

it("asks for the first bytes of a hundred accounts at most, as of the newest that is sure", async () => {
  const mints = [...mintsOf(120), USDC]
  const tokens = await read([await nodeOf(honest(known))], mints)
  expect(tokens).toEqual([...mints.slice(0, -1).map(token => ({ ...nothing, token })), fact])
  const asked = requests(0)
  expect(asked.map(({ params }) => params[0].length)).toEqual([100, 100, 42])
  expect(asked[0].params[1]).toEqual({
    ...{ commitment: "confirmed", encoding: "base64" },
    dataSlice: { offset: 0, length: ACCOUNT_BYTES }
  })
})

it("asks for nothing that is no address, and for no more than a thousand", async () => {
  const url = await nodeOf(honest(known))
  const words = ["", "0".repeat(43), `${USDC}x`, "🦄".repeat(40)]
  expect(await read([url], words)).toEqual(words.map(token => ({ ...nothing, token })))
  expect(await read([url], [])).toEqual([])
  expect(await refusal([url], mintsOf(1_001))).toMatchObject({
    ...{ message: "1001 tokens were asked for, of 1000 at most at once", fatal: false }
  })
  expect(requests(0)).toEqual([])
})

it("asks the others for a mint that the endpoint in use does not have", async () => {
  const behind = honest(new Map())
  const unable = () => ({ error: { code: -32601, message: "Method not found" } })
  const urls = [await nodeOf(behind), await nodeOf(unable), await nodeOf(honest(known))]
  const source = openSource(urls)
  expect(await Effect.runPromise(source.tokens([USDC]))).toEqual([fact])
  expect(source.status().endpoints.map(({ errors }) => errors)).toEqual([0, 0, 0])
  expect(await read([await nodeOf(behind), await nodeOf(behind)])).toEqual([
    { ...nothing, token: USDC }
  ])
})

it("asks for fewer where a provider takes no hundred", async () => {
  const url = await nodeOf(addresses =>
    addresses.length > 5
      ? {
          status: 413,
          body: { error: { code: -32615, message: "getMultipleAccounts is limited to a 5 range" } }
        }
      : honest(known)(addresses)
  )
  const mints = [...mintsOf(7), USDC]
  expect((await read([url], mints)).map(({ decimals }) => decimals)).toEqual([
    ...[...mints.slice(1).map(() => null), 6]
  ])
  expect(requests(0).map(({ params }) => params[0].length)).toEqual([16, 8, 4, 4, 4, 4])
})

it("says where no endpoint tells of accounts", async () => {
  const unable = () => ({ error: { code: -32601, message: "Method not found" } })
  expect(await refusal([await nodeOf(unable)])).toMatchObject({
    ...{ message: "no endpoint has getMultipleAccounts", fatal: false }
  })
})

const text = (length: number) => "A".repeat(length)

it.each<[string, unknown]>([
  ["fewer accounts", accountsAnswer([mint])],
  ["more accounts", accountsAnswer([mint, null, null])],
  ["no list", accountsAnswer({ 0: mint, length: 2 })],
  ["no value", { result: [mint, null] }],
  ["no account", accountsAnswer([mint, 7])],
  ["no base64", accountsAnswer([account(TOKEN, "!!!!"), null])],
  ["broken base64", accountsAnswer([account(TOKEN, "AAAAA"), null])],
  ["another encoding", accountsAnswer([{ ...mint, data: ["AAAA", "base58"] }, null])],
  ["parsed data", accountsAnswer([{ ...mint, data: { parsed: {} } }, null])],
  ["an owner that is none", accountsAnswer([{ ...mint, owner: "me" }, null])],
  ["no owner", accountsAnswer([{ data: mint.data }, null])]
])("blames a node that tells %s, and asks another", async (_, answer) => {
  const source = openSource([await nodeOf(() => answer as object), await nodeOf(honest(known))])
  expect(await Effect.runPromise(source.tokens([USDC]))).toEqual([fact])
  const [wrong, right] = source.status().endpoints
  // where the other is slow the first is asked again meanwhile
  expect(wrong?.errors).toBeGreaterThan(0)
  expect(right?.errors).toBe(0)
})

it("believes no mint whose decimals are not those of its balances, and asks another", async () => {
  const told = new Map<string, Told>([[USDC, account(TOKEN, mintData(9, 77n))]])
  const [wrong, right] = [await nodeOf(honest(told)), await nodeOf(honest(known))]
  const balances = new Map([[USDC, 6]])
  const ask = (urls: ReadonlyArray<string>) =>
    Effect.runPromise(openSource(urls).tokens([USDC], balances))
  expect(await ask([wrong, right])).toEqual([fact])
  expect(await ask([right, wrong])).toEqual([fact])
  // nobody else is there: nothing that it says is believed
  expect(await ask([wrong])).toEqual([{ ...nothing, token: USDC }])
})

it("takes of a node that tells anything what an account may be, and no more", async () => {
  const urls = await Promise.all(
    [
      [account(SYSTEM, mintData(6, 77n)), account(METADATA, metadataData(USDC, "A", "B"))],
      [mint, account(SYSTEM, metadataData(USDC, "A", "B"))],
      [account(TOKEN, text(4_000_000)), account(METADATA, text(4_000_000))],
      [mint, account(METADATA, metadataData(TOKEN, "A", "B"))],
      [mint, account(METADATA, metadataData(USDC, "A\u202eB", "🦄🦄🦄"))]
    ].map(value => nodeOf(() => accountsAnswer(value)))
  )
  const found = await Promise.all(urls.map(url => read([url])))
  expect(found.flat()).toEqual([
    { ...nothing, token: USDC },
    fact,
    { ...nothing, token: USDC },
    fact,
    // ten bytes of a symbol are two of these, and a half that cannot be shown
    { ...fact, name: "AB", symbol: "🦄🦄" }
  ])
})

it("looks at the first bytes alone of a node that tells more", async () => {
  const texts = Buffer.concat([
    ...[new Uint8Array(32), getAddressEncoder().encode(USDC) as Uint8Array],
    ...["A", "B", ""].map(one => Uint8Array.of(one.length, 0, 0, 0, ...Buffer.from(one)))
  ])
  const extension = (type: number, value: Uint8Array) => [
    ...[Uint8Array.of(type, 0, value.length & 255, value.length >> 8), value]
  ]
  const told = (bytes: number) => {
    const others = extension(77, new Uint8Array(bytes))
    const begin = [mintData(6, 77n), new Uint8Array(83), Uint8Array.of(1)]
    const data = Buffer.concat([...begin, ...others, ...extension(19, texts)])
    return honest(new Map([[USDC, account(TOKEN_2022, data)]]))
  }
  const rest = ACCOUNT_BYTES - 166 - 4 - 4 - texts.length
  expect(await read([await nodeOf(told(rest))])).toEqual([{ ...fact, name: "A", symbol: "B" }])
  expect(await read([await nodeOf(told(ACCOUNT_BYTES))])).toEqual([fact])
})
