/**
 * An endpoint whose headers are checked before anybody reads them. Once headers of the chain were
 * seen to give their hashes, one that does not is a wrong answer, and so are transactions that do
 * not give the root which their header names. It is never handed on, and what asked for it is asked
 * again, elsewhere where there is somebody else.
 */
import { Effect, Predicate, Result, Stream } from "effect"
import type { RpcCall, RpcEndpoint } from "../../../src/platform/rpc.ts"
import { RpcError } from "../../../src/platform/rpc-error.ts"
import type { EndpointHealth } from "../../endpoints/endpoint-health.ts"
import type { HashesFit } from "../../source.ts"
import { isSealed } from "./header-hash.ts"
import { holdsTransactions } from "./transactions-root.ts"
import { readQuantity } from "./wire.ts"

/**
 * What all that reads a chain knows of how it hashes. The log's blocks tell it at a start: else who
 * alone tells a chain could tell it anything from the next start on.
 */
export class ChainSeals {
  /** some header was seen to give its hash: the chain hashes as this code does */
  fit: boolean
  /** transactions told in full were seen to give their header's root: all that are known have to */
  transactionsFit = false
  /** receipts were seen to give the root in their header: those that do not are wrong */
  receiptsFit: boolean

  constructor({ headers, receipts }: HashesFit = { headers: false, receipts: false }) {
    this.fit = headers
    this.receiptsFit = receipts
  }
}

const HEADER_METHODS: ReadonlySet<string> = new Set(["eth_getBlockByNumber", "eth_getBlockByHash"])

type Header = { readonly [name: PropertyKey]: unknown }

/** What is wrong with an answer, and what it is called. */
interface Wrong {
  readonly kind: "bad-answer" | "forgotten"
  /** to be said after its teller's name */
  readonly what: string
}

const lie = (what: string): Wrong => ({ kind: "bad-answer", what })

const nameOf = (header: Header): string => {
  const number = readQuantity(header["number"])
  return number === null ? "a block" : `block ${number}`
}

/** What is wrong where a header's fields do not give its hash, of a chain that hashes as known. */
const notItsHash = (header: Header, how: "told" | "pushed", { fit }: ChainSeals): Wrong | null =>
  fit ? lie(`${how} a header of ${nameOf(header)} that does not give its hash`) : null

/** A node that has forgotten a block's transactions tells none: that is no lie. */
const holdsNone = ({ transactions }: Header): boolean =>
  Array.isArray(transactions) && transactions.length === 0

/**
 * What is wrong with a header, to be said after its teller's name; null where nothing is. Who tells
 * all fields is believed without one no more: it would be a way round the check.
 */
const wrongIn = (
  header: unknown,
  isFull: boolean,
  health: EndpointHealth,
  seals: ChainSeals
): Wrong | null => {
  if (!Predicate.isObject(header)) return null
  const sealed = isSealed(header)
  if (sealed === true) {
    seals.fit = true
    health.tellsWholeHeaders = true
    const holds = isFull ? holdsTransactions(header) : null
    if (holds === true) seals.transactionsFit = true
    if (holds !== false || !seals.transactionsFit) return null
    const name = nameOf(header)
    return holdsNone(header)
      ? { kind: "forgotten", what: `has no transactions of ${name}` }
      : lie(`told transactions of ${name} that do not give its transactions root`)
  }
  if (sealed === false) return notItsHash(header, "told", seals)
  return health.tellsWholeHeaders
    ? lie(`told a header of ${nameOf(header)} without fields that it told before`)
    : null
}

/** What is wrong with a pushed header: nodes leave fields out there, and it is asked for. */
const wrongInPushed = (header: unknown, seals: ChainSeals): Wrong | null =>
  Predicate.isObject(header) && isSealed(header) === false
    ? notItsHash(header, "pushed", seals)
    : null

/** The endpoint, with headers that are wrong turned into errors, and never pushed. */
export const sealedEndpoint = (
  endpoint: RpcEndpoint,
  health: EndpointHealth,
  seals: ChainSeals
): RpcEndpoint => {
  const note = ({ kind, what }: Wrong): string => {
    const message = `${endpoint.label} ${what}`
    if (kind === "bad-answer") health.lied(message)
    return message
  }
  const checked = (call: RpcCall, result: unknown): Result.Result<unknown, RpcError> => {
    const { method, params } = call
    const isHeader = HEADER_METHODS.has(method)
    const wrong = isHeader ? wrongIn(result, params?.[1] === true, health, seals) : null
    if (wrong === null) return Result.succeed(result)
    const { kind } = wrong
    const message = note(wrong)
    return Result.fail(new RpcError({ kind, endpoint: endpoint.label, method, message }))
  }
  const isRight = (header: unknown): boolean => {
    const wrong = wrongInPushed(header, seals)
    if (wrong !== null) note(wrong)
    return wrong === null
  }
  return {
    ...endpoint,
    request: call =>
      Effect.flatMap(endpoint.request(call), result => Effect.fromResult(checked(call, result))),
    batch: calls =>
      Effect.map(endpoint.batch(calls), answers =>
        answers.map((answer, i) =>
          Result.flatMap(answer, result => checked(calls[i] as RpcCall, result))
        )
      ),
    newHeads: endpoint.newHeads === null ? null : Stream.filter(endpoint.newHeads, isRight)
  }
}
