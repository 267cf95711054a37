/**
 * uWebSockets.js behind one file: the package is a third party's repackaging, so nothing else
 * names it. Its `HttpRequest` dies when the handler returns, and a response must either be ended
 * there or have an abort handler; `api/server` keeps to both.
 */

import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_listen_socket,
  us_socket_context_t,
  WebSocket,
  WebSocketBehavior
} from "uWebSockets.js"
import uws from "uWebSockets.js"
import { Data, Effect, type Scope } from "effect"

export type UwsRequest = HttpRequest
export type UwsResponse = HttpResponse
export type UwsApp = TemplatedApp
export type UwsSocket<UserData> = WebSocket<UserData>
export type UwsSocketBehavior<UserData> = WebSocketBehavior<UserData>
export type UwsSocketContext = us_socket_context_t

/** The address is not ours to listen on: taken, forbidden, or no address of this machine. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

export interface UwsServer {
  readonly app: UwsApp
  /** the port bound, also where 0 was asked for */
  readonly port: number
  /** refuses new connections; open ones stay */
  readonly stopListening: Effect.Effect<void>
}

/**
 * `listen(host, port, options, callback)` exists in the binary but not in its types. Without the
 * option uSockets sets SO_REUSEPORT, and a second server on the same port would silently take
 * half of the connections.
 */
type ExclusiveListen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void
) => void

const EXCLUSIVE_PORT = 1

/**
 * Listens on `host:port` (0 for any free port) with the routes that `configure` adds. When the
 * scope closes every connection is cut, so drain before.
 */
export const listenUws = (options: {
  readonly host: string
  readonly port: number
  readonly configure: (app: UwsApp) => void
}): Effect.Effect<UwsServer, ListenError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<UwsServer, ListenError>(resume => {
      const app = uws.App()
      options.configure(app)
      const listen = app.listen.bind(app) as unknown as ExclusiveListen
      listen(options.host, options.port, EXCLUSIVE_PORT, socket => {
        if (socket === false) {
          const message =
            `cannot listen on ${options.host}:${options.port}: the port is taken or the address ` +
            "not of this machine; set PORT or HOST to others"
          resume(Effect.fail(new ListenError({ message })))
          return
        }
        let listening = true
        const stopListening = Effect.sync(() => {
          if (listening) uws.us_listen_socket_close(socket)
          listening = false
        })
        const port = uws.us_socket_local_port(socket as never)
        resume(Effect.succeed({ app, port, stopListening }))
      })
    }),
    server =>
      Effect.andThen(
        server.stopListening,
        Effect.sync(() => void server.app.close())
      )
  )
