/**
 * The only file that imports uWebSockets.js, since the package is a third party's repackaging. Its
 * `HttpRequest` is invalid once the handler returns, and a response must be ended by then or have
 * an abort handler; `api/server` obeys both rules.
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

/** The server cannot listen on the address: taken, forbidden, or not of this machine. */
export class ListenError extends Data.TaggedError("ListenError")<{ readonly message: string }> {}

export interface UwsServer {
  readonly app: UwsApp
  /** the bound port, also where port 0 was requested */
  readonly port: number
  /** refuses new connections; open connections stay */
  readonly stopListening: Effect.Effect<void>
}

/**
 * Type of `listen(host, port, options, callback)`, which the binary has and its types lack. Without
 * `EXCLUSIVE_PORT` uSockets sets SO_REUSEPORT, and a second server on the same port would silently
 * take half of the connections.
 */
type ExclusiveListen = (
  host: string,
  port: number,
  options: number,
  callback: (socket: us_listen_socket | false) => void
) => void

const EXCLUSIVE_PORT = 1

/**
 * Listens on `host:port` (port 0: any free port) with the routes that `configure` adds. The scope's
 * end cuts every connection, so the caller must drain them before.
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
