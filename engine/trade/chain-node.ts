/**
 * A chain's nodes as the router uses them: for the price of gas, and to run a transaction on paper
 * before somebody signs it. Quotes need none of it. Endpoints are asked in turn until one answers.
 */
import { Clock, Effect, Fiber, type Scope } from "effect"
import { hasPassed } from "../../src/platform/elapsed.ts"
import { openRpc, type RpcCall, type RpcEndpoint } from "../../src/platform/rpc.ts"
import { RpcError } from "../../src/platform/rpc-error.ts"

type Hex = `0x${string}`

/** Milliseconds that one endpoint gets for an answer. */
const TIMEOUT_MS = 3000
/** Bytes of an answer at most. */
const MOST_BYTES = 1024 * 1024
/** For so long a gas price is believed. */
const GAS_PRICE_MS = 10_000
/** For so long the first who asks waits for one. */
const FIRST_WAIT_MS = 500
/** Above it no gas price is believed: a transaction would cost more wei than there are anywhere. */
const MOST_GAS_PRICE = 1n << 96n

export interface NodeCall {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
  readonly value: bigint
  /** units of gas that it may take; as much as the node allows unless told */
  readonly gas?: bigint
}

/** What a call shall find otherwise than it is, by account: words of storage, code, wei. */
export type StateOverrides = {
  readonly [account: string]: {
    readonly stateDiff?: { readonly [slot: string]: Hex }
    readonly code?: Hex
    readonly balance?: Hex
  }
}

export interface ChainNode {
  /** wei for a unit of gas; null where no endpoint tells, or has told yet */
  readonly gasPrice: Effect.Effect<bigint | null>
  /** the answer of a call on the newest block; fails with `reverted` where the contract refuses */
  readonly call: (call: NodeCall, overrides?: StateOverrides) => Effect.Effect<Hex, RpcError>
  /** what the first endpoint answers to a method; asked once, since it may send something */
  readonly ask: (method: string, params: ReadonlyArray<unknown>) => Effect.Effect<unknown, RpcError>
}

/** A number as nodes take it. */
export const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

/** A word of 32 bytes, as text. */
const WORD_TEXT = 66

const isHex = (value: unknown): value is Hex =>
  typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value)

const asHex = (value: unknown, { method }: RpcCall, { label }: RpcEndpoint) =>
  isHex(value)
    ? Effect.succeed(value)
    : Effect.fail(
        new RpcError({
          kind: "bad-answer",
          endpoint: label,
          method,
          message: `${label} ${method}: the answer is no hex text`
        })
      )

/** Whether another endpoint may answer what this one did not: a contract refuses everywhere. */
const isOthers = ({ kind }: RpcError): boolean => kind !== "reverted"

const noEndpoint = (method: string): RpcError =>
  new RpcError({ kind: "dead", endpoint: "", method, message: "no endpoint is configured" })

const askEach = (
  endpoints: ReadonlyArray<RpcEndpoint>,
  call: RpcCall
): Effect.Effect<Hex, RpcError> => {
  const [first, ...others] = endpoints
  if (first === undefined) return Effect.fail(noEndpoint(call.method))
  const asked = Effect.flatMap(first.request(call), value => asHex(value, call, first))
  return others.length === 0 ? asked : Effect.catchIf(asked, isOthers, () => askEach(others, call))
}

/** Wei in what a node answers; null where it tells none, or one that nobody could pay. */
const priceIn = (hex: Hex): bigint | null => {
  if (hex === "0x" || hex.length > WORD_TEXT) return null
  const price = BigInt(hex)
  return price > MOST_GAS_PRICE ? null : price
}

/**
 * The last gas price that was told. It is read when somebody asks: the source has the node to
 * itself until then. The first waits for it a moment, later ones get what there is meanwhile.
 */
const keptGasPrice = (read: Effect.Effect<Hex, RpcError>) =>
  Effect.gen(function* () {
    let known: bigint | null = null
    let askedAtMs: number | null = null
    const refresh = read.pipe(
      Effect.map(priceIn),
      Effect.orElseSucceed(() => null),
      Effect.map(price => {
        known = price
      })
    )
    const scope = yield* Effect.scope
    return Effect.gen(function* () {
      const nowMs = yield* Clock.currentTimeMillis
      const isFirst = askedAtMs === null
      if (askedAtMs === null || hasPassed(askedAtMs, nowMs, GAS_PRICE_MS)) {
        askedAtMs = nowMs
        const reading = yield* Effect.forkIn(refresh, scope)
        if (isFirst) yield* Effect.timeoutOption(Fiber.join(reading), FIRST_WAIT_MS)
      }
      return known
    })
  })

/** Opens the nodes of one chain; sockets open with their first use and close with the scope. */
export const openChainNode = (
  urls: ReadonlyArray<string>
): Effect.Effect<ChainNode, never, Scope.Scope> =>
  Effect.gen(function* () {
    const options = { timeoutMs: TIMEOUT_MS, maxAnswerBytes: MOST_BYTES }
    const endpoints = yield* Effect.forEach(urls, url => openRpc(url, options))
    const ask = (method: string, params: ReadonlyArray<unknown>) =>
      Effect.suspend(() => askEach(endpoints, { method, params }))
    const price = yield* keptGasPrice(ask("eth_gasPrice", []))
    return {
      ask: (method, params) =>
        endpoints[0]?.request({ method, params }) ?? Effect.fail(noEndpoint(method)),
      gasPrice: price,
      call: ({ from, to, data, value, gas }, overrides) =>
        ask("eth_call", [
          { from, to, data, value: quantity(value), ...(gas && { gas: quantity(gas) }) },
          "latest",
          ...(overrides === undefined ? [] : [overrides])
        ])
    }
  })
