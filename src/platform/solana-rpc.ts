/**
 * JSON-RPC to a node of Solana through `@solana/kit`. Blocks are given as the bytes that came: they
 * have megabytes, of which readers want a part. Answers are parsed where they are small, and judged
 * by the caller: a node may say anything.
 */
import {
  type Commitment,
  createJsonRpcApi,
  createRpc,
  createSolanaRpcSubscriptions,
  type RpcTransport
} from "@solana/kit"
import { Cause, Effect, Predicate, Queue, Stream } from "effect"
import { type HttpAnswer, jsonPoster } from "./http-post.ts"
import { answerReader, type RpcOptions, rpcDefaults } from "./rpc.ts"
import type { RpcError } from "./rpc-error.ts"
import { askHttpNode, jsonOf } from "./rpc-http.ts"
import { solanaErrorKind } from "./solana-rpc-error.ts"

/** How sure a node must be of what it tells. */
export type Certainty = Extract<Commitment, "confirmed" | "finalized">

/** How much of a block is told: all, the signatures of its transactions, or none of them. */
export type BlockDetails = "full" | "signatures" | "none"

/** The newest version of transactions that is read. */
const NEWEST_VERSION = 1

export interface SolanaEndpoint {
  /** host and port, safe to show */
  readonly label: string
  readonly getGenesisHash: Effect.Effect<unknown, RpcError>
  readonly getSlot: (certainty: Certainty) => Effect.Effect<unknown, RpcError>
  /** asks for the slots of a range that have a block */
  readonly getBlocks: (
    from: number,
    to: number,
    certainty: Certainty
  ) => Effect.Effect<unknown, RpcError>
  /** gives the answer's body as it came, an error object too */
  readonly getBlock: (
    slot: number,
    details: BlockDetails,
    certainty: Certainty
  ) => Effect.Effect<Buffer, RpcError>
  /** asks for accounts in base64, of each its first bytes */
  readonly getMultipleAccounts: (
    addresses: ReadonlyArray<string>,
    bytes: number,
    certainty: Certainty
  ) => Effect.Effect<unknown, RpcError>
  /** reads the error object in a body; fails as bad answer where there is none */
  readonly refusal: (method: string, body: Buffer) => Effect.Effect<never, RpcError>
}

interface Sure {
  readonly commitment: Certainty
}

interface BlockWanted extends Sure {
  readonly encoding: "json"
  readonly transactionDetails: BlockDetails
  readonly rewards: false
  readonly maxSupportedTransactionVersion: number
}

interface AccountsWanted extends Sure {
  readonly encoding: "base64"
  readonly dataSlice: { readonly offset: 0; readonly length: number }
}

/** The methods that are asked, each of which gives an answer as it came. */
type Methods = {
  getGenesisHash(): HttpAnswer
  getSlot(sure: Sure): HttpAnswer
  getBlocks(from: number, to: number, sure: Sure): HttpAnswer
  getBlock(slot: number, wanted: BlockWanted): HttpAnswer
  getMultipleAccounts(addresses: ReadonlyArray<string>, wanted: AccountsWanted): HttpAnswer
}

interface Pending {
  readonly send: (options: { readonly abortSignal: AbortSignal }) => Promise<HttpAnswer>
}

/** Returns an endpoint at an http(s) URL. */
export const solanaEndpoint = (url: string, options: RpcOptions = rpcDefaults): SolanaEndpoint => {
  const reader = answerReader(url, solanaErrorKind)
  const post = jsonPoster(url, options.maxAnswerBytes)
  const never = new AbortController().signal
  const transport = (({ payload, signal }: Parameters<RpcTransport>[0]) =>
    post(JSON.stringify(payload), signal ?? never)) as unknown as RpcTransport
  const rpc = createRpc({ api: createJsonRpcApi<Methods>(), transport })
  const bytes = (method: string, pending: Pending) =>
    askHttpNode(reader, method, options.timeoutMs, abortSignal => pending.send({ abortSignal }))
  const result = (method: string, pending: Pending) =>
    bytes(method, pending).pipe(
      Effect.flatMap(body => jsonOf(reader, method, body)),
      Effect.flatMap(answer => Effect.fromResult(reader.read(method, answer)))
    )
  return {
    label: reader.label,
    getGenesisHash: Effect.suspend(() => result("getGenesisHash", rpc.getGenesisHash())),
    getSlot: commitment => result("getSlot", rpc.getSlot({ commitment })),
    getBlocks: (from, to, commitment) =>
      result("getBlocks", rpc.getBlocks(from, to, { commitment })),
    getBlock: (slot, transactionDetails, commitment) => {
      const wanted = {
        ...({ encoding: "json", rewards: false, transactionDetails, commitment } as const),
        maxSupportedTransactionVersion: NEWEST_VERSION
      }
      return bytes("getBlock", rpc.getBlock(slot, wanted))
    },
    getMultipleAccounts: (addresses, length, commitment) => {
      const dataSlice = { offset: 0, length } as const
      const wanted = { encoding: "base64", dataSlice, commitment } as const
      return result("getMultipleAccounts", rpc.getMultipleAccounts(addresses, wanted))
    },
    refusal: (method, body) =>
      jsonOf(reader, method, body).pipe(
        Effect.flatMap(answer => Effect.fromResult(reader.read(method, answer))),
        Effect.flatMap(() => Effect.fail(reader.fail("bad-answer", method, "malformed result")))
      )
  }
}

/** Tells each slot that a node begins, until the connection is lost or the signal given. */
const hearSlots = async (
  url: string,
  abortSignal: AbortSignal,
  tell: (slot: number) => void
): Promise<void> => {
  const subscriptions = createSolanaRpcSubscriptions(url)
  const news = await subscriptions.slotNotifications().subscribe({ abortSignal })
  for await (const { slot } of news) tell(Number(slot))
}

/**
 * Streams the slots that a node begins, of a ws(s) URL, until the connection is lost. They are news
 * that there may be blocks, and no more: a slot may be skipped.
 */
export const slotsBegun = (url: string): Stream.Stream<number, RpcError> => {
  const { fail } = answerReader(url, solanaErrorKind)
  return Stream.callback<number, RpcError>(
    queue => {
      const lost = (cause: unknown) => {
        const words = Predicate.isError(cause) ? cause.message : "the connection was closed"
        Queue.failCauseUnsafe(queue, Cause.fail(fail("dead", "slotSubscribe", words)))
      }
      const listen = Effect.sync(() => {
        const controller = new AbortController()
        const tell = (slot: number) => {
          Queue.offerUnsafe(queue, slot)
        }
        hearSlots(url, controller.signal, tell).then(() => lost(null), lost)
        return controller
      })
      return Effect.acquireRelease(listen, controller => Effect.sync(() => controller.abort()))
    },
    { bufferSize: 16, strategy: "sliding" }
  )
}
