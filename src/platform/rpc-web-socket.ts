/** JSON-RPC over one WebSocket, through viem's client. After a loss the next use reopens it. */
import { Cause, Effect, Predicate, Queue, Result, type Scope, Stream } from "effect"
import { getWebSocketRpcClient } from "viem/utils"
import type { AnswerReader, RpcAnswer, RpcCall, RpcEndpoint, RpcOptions } from "./rpc.ts"
import type { RpcError } from "./rpc-error.ts"

type Client = Awaited<ReturnType<typeof getWebSocketRpcClient>>

/** Milliseconds between two keep-alive messages. */
const KEEP_ALIVE_MS = 30_000

/** Returns the first line of a reason, which is an error or a DOM event. */
const reasonOf = (cause: unknown): string =>
  Predicate.isObject(cause) && Predicate.isString(cause["message"]) && cause["message"] !== ""
    ? (cause["message"].split("\n")[0] ?? "connection failed")
    : "connection failed"

/** Ids of requests, shared by all sockets and used for subscriptions too. */
const ids = { next: 1 }

/** The socket of an endpoint. */
interface Connection {
  client: Client | null
  opening: Promise<Client> | null
  closed: boolean
}

/**
 * Number of sockets so far, which makes each socket's options unique. viem shares one client, and
 * its table of answers by id, among equal options: endpoints of one URL would get each other's
 * answers and close each other's socket.
 */
let sockets = 0
const ownOptions = () => {
  const keepAlive = { interval: KEEP_ALIVE_MS, socket: ++sockets }
  return { reconnect: false, keepAlive }
}

const open = (url: string, connection: Connection): Promise<Client> => {
  if (connection.client !== null) return Promise.resolve(connection.client)
  if (connection.opening !== null) return connection.opening
  // One turn later, because viem drops a closed socket only after all its error callbacks.
  const client = Promise.resolve().then(() => getWebSocketRpcClient(url, ownOptions()))
  connection.opening = client.then(
    client => {
      connection.opening = null
      if (connection.closed) client.close()
      else connection.client = client
      return client
    },
    cause => {
      connection.opening = null
      throw cause
    }
  )
  return connection.opening
}

/** Closes a lost socket; the next use opens a new one. */
const drop = (connection: Connection, client: Client): void => {
  if (connection.client !== client) return
  connection.client = null
  client.close()
}

/** Returns an endpoint at a ws(s) URL. The scope's end closes the socket. */
export const webSocketEndpoint = (
  url: string,
  reader: AnswerReader,
  options: RpcOptions
): Effect.Effect<RpcEndpoint, never, Scope.Scope> =>
  Effect.gen(function* () {
    const connection: Connection = { client: null, opening: null, closed: false }
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        connection.closed = true
        connection.client?.close()
        connection.client = null
      })
    )
    const connected = (method: string): Effect.Effect<Client, RpcError> =>
      Effect.tryPromise({
        try: () => open(url, connection),
        catch: cause => reader.fail("dead", method, reasonOf(cause))
      })

    const ask = (client: Client, call: RpcCall): Effect.Effect<unknown, RpcError> =>
      Effect.callback<unknown, RpcError>(resume => {
        const id = ids.next++
        client.request({
          body: { ...call, id },
          onResponse: answer => resume(Effect.fromResult(reader.read(call.method, answer))),
          onError: cause => {
            drop(connection, client)
            resume(Effect.fail(reader.fail("dead", call.method, reasonOf(cause))))
          }
        })
        return Effect.sync(() => {
          client.requests.delete(id)
        })
      })

    const request = (call: RpcCall): Effect.Effect<unknown, RpcError> =>
      connected(call.method).pipe(
        Effect.flatMap(client => ask(client, call)),
        Effect.timeoutOrElse({
          duration: options.timeoutMs,
          orElse: () =>
            Effect.fail(reader.fail("timeout", call.method, `no answer in ${options.timeoutMs} ms`))
        })
      )

    const batch = (calls: ReadonlyArray<RpcCall>) =>
      Effect.forEach(calls, call => Effect.result(request(call)), { concurrency: 16 }).pipe(
        Effect.flatMap((answers: ReadonlyArray<RpcAnswer>) => {
          const lost = answers.find(answer => Result.isFailure(answer) && isLost(answer.failure))
          return lost !== undefined && Result.isFailure(lost)
            ? Effect.fail(lost.failure)
            : Effect.succeed(answers)
        })
      )

    return {
      label: reader.label,
      request,
      batch,
      newHeads: newHeads(reader, connected, connection)
    }
  })

const isLost = (error: RpcError): boolean => error.kind === "dead" || error.kind === "timeout"

const newHeads = (
  reader: AnswerReader,
  connected: (method: string) => Effect.Effect<Client, RpcError>,
  connection: Connection
): Stream.Stream<unknown, RpcError> =>
  Stream.callback<unknown, RpcError>(
    queue =>
      Effect.gen(function* () {
        const client = yield* connected("eth_subscribe")
        const fail = (error: RpcError) => Queue.failCauseUnsafe(queue, Cause.fail(error))
        client.request({
          body: { method: "eth_subscribe", params: ["newHeads"], id: ids.next++ },
          onResponse: (message: unknown) => {
            const head = pushedHead(message)
            if (head !== undefined) Queue.offerUnsafe(queue, head)
            else {
              const answer = reader.read("eth_subscribe", message)
              if (Result.isFailure(answer)) fail(answer.failure)
            }
          },
          onError: cause => {
            drop(connection, client)
            fail(reader.fail("dead", "eth_subscribe", reasonOf(cause)))
          }
        })
      }),
    { bufferSize: 16, strategy: "sliding" }
  )

/** Returns the header in a notification; undefined for any other message, such as the
 *  confirmation of the subscription. */
const pushedHead = (message: unknown): unknown =>
  Predicate.isObject(message) &&
  message["method"] === "eth_subscription" &&
  Predicate.isObject(message["params"])
    ? message["params"]["result"]
    : undefined
