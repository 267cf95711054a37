/** Every route of the contract, asked through the typed client, and its answers held to it. */
import Ajv2020 from "ajv/dist/2020.js"
import { apiDescription } from "../../api/description.ts"
import type { Endpoint } from "../../api/endpoints.ts"
import {
  type Description,
  type Operation,
  operationsOf
} from "../../api/typed-client/operations.ts"
import type { Answer, CallOptions, RouteName } from "../../client/client.d.ts"
import { swaptape } from "../../client/client.js"
import type { Routes } from "../../client/generated/routes.d.ts"
import { Problem } from "../../client/retry.js"
import { type Asked, declaredRoutes, urlsOf } from "./route-urls.ts"

type Input = { readonly [name: string]: unknown }
/** What routes that tell of no lane are asked, made when they are: quotes last for seconds. */
type OwnInputs = { readonly [Name in RouteName]?: () => Promise<ReadonlyArray<Input>> }
type Ask = (input: Input, options?: CallOptions) => Promise<Answer<unknown>>

const description = apiDescription() as unknown as Description
const operations = operationsOf(description)

const ajv = new Ajv2020.default({ strict: false, allErrors: true, validateFormats: false })
ajv.addSchema({ ...description, $id: "contract" })

const escaped = (path: string): string => path.replaceAll("~", "~0").replaceAll("/", "~1")

/** What is wrong with an answer by its schema in the contract; null where nothing is. */
const issueOf = ({ path, method, answer }: Operation, body: unknown): string | null => {
  if (answer === null) return typeof body === "string" && body !== "" ? null : "no text"
  const place = `paths/${escaped(path)}/${method.toLowerCase()}/responses/200`
  const schema = `contract#/${place}/content/application~1json/schema`
  const check = ajv.getSchema(schema) ?? ajv.compile({ $ref: schema })
  return check(body) ? null : ajv.errorsText(check.errors)
}

/** A URL of a route, as what its function is asked. */
const inputOf = ({ path }: Operation, url: string): Input => {
  const { pathname, searchParams } = new URL(url, "http://localhost")
  const pattern = path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")
  return {
    ...new RegExp(`^${pattern}$`).exec(pathname)?.groups,
    ...Object.fromEntries(searchParams)
  }
}

/** What a route that tells of no lane is asked: nothing, where it needs nothing. */
const plainInputs = ({ method, parameters }: Operation): ReadonlyArray<Input> =>
  method === "GET" && parameters.every(({ required }) => required !== true) ? [{}] : []

export interface Walked {
  readonly route: RouteName
  readonly input: Input
  /** `ok`, or the code of a refusal */
  readonly came: string
  /** what the contract does not allow of it */
  readonly issue: string | null
}

const walk = async (client: Routes, operation: Operation, input: Input): Promise<Walked> => {
  const route = operation.name as RouteName
  const ask = client[route] as Ask
  return ask(input).then(
    ({ body }) => ({ route, input, came: "ok", issue: issueOf(operation, body) }),
    cause => {
      if (!(cause instanceof Problem)) throw cause
      const isDeclared = operation.codes.includes(cause.code)
      const issue = isDeclared ? null : `${cause.code} is declared nowhere: ${cause.message}`
      return { route, input, came: cause.code, issue }
    }
  )
}

const templateOf = ({ path }: Endpoint): string => path.replace(/:(\w+)/g, "{$1}")

/** A client that notes which paths it asked for. */
export const notingClient = (url: string) => {
  const urls: string[] = []
  const fetch: typeof globalThis.fetch = (asked, init) => {
    urls.push(String(asked))
    return globalThis.fetch(asked, init)
  }
  return { client: swaptape({ url, fetch }), urls }
}

/** Asks every route, with `some` of the queries that it may have. */
export const walkRoutes = async (
  client: Routes,
  asked: Asked,
  own: OwnInputs,
  some: (queries: ReadonlyArray<string>) => ReadonlyArray<string>
): Promise<ReadonlyArray<Walked>> => {
  const walked: Array<Walked> = []
  for (const operation of operations) {
    const route = declaredRoutes.find(each => templateOf(each) === operation.path)
    const declared =
      route === undefined
        ? plainInputs(operation)
        : urlsOf(route, asked, some).map(url => inputOf(operation, url))
    const inputs = (await own[operation.name as RouteName]?.()) ?? declared
    if (inputs.length === 0) throw new Error(`nothing is told to ask ${operation.name} with`)
    for (const input of inputs) walked.push(await walk(client, operation, input))
  }
  return walked
}

const NATIVE = `0x${"0".repeat(40)}`

/** What the routes that tell of no lane and need something are asked: of an order, what comes of its quote. */
export const ownInputs = (
  client: Routes,
  order: { readonly inputMint: string; readonly outputMint: string; readonly amount: string },
  chain: Asked["chain"],
  taker: string
): OwnInputs => {
  const named = { chain: String(chain.id), ...order }
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "walk", version: "1.0.0" }
  }
  const swapBody = async () => ({ ...(await client.getQuote(named)).body, taker })
  const metaQuote = async () => (await client.getMetaQuote({ ...named, taker })).body
  const plain =
    (...inputs: ReadonlyArray<Input>) =>
    async () =>
      inputs
  return {
    getQuote: plain(named, { ...named, why: "1", fast: "1" }, { ...named, inputMint: NATIVE }),
    postSwap: async () => [await swapBody()],
    getCalldata: plain({ ...named, taker }),
    postSimulate: async () => {
      const { body } = await client.postSwap(await swapBody())
      return [{ ...body.transaction, assumeFunded: true }]
    },
    getMetaQuote: plain(named),
    postMetaSwap: async () => [{ ...(await metaQuote()), taker }],
    getMetaWhy: async () => [{ quoteId: (await metaQuote()).quoteId }],
    postDevchainWallet: plain({ chainId: chain.id, method: "eth_accounts" }),
    postMcp: plain({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })
  }
}
