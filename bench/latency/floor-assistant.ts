/**
 * The baseline of latency: what no engine can do without. Bytes come over a WebSocket, are written
 * to a file and fsynced, and a frame goes back.
 */
import { fdatasyncSync, openSync, writeSync } from "node:fs"
import { Effect } from "effect"
import { listenUws } from "../../src/platform/uws.ts"
import { assist } from "../measure/assist.ts"

const serve = ({ file }: { readonly file: string }) =>
  Effect.gen(function* () {
    const descriptor = openSync(file, "a")
    const server = yield* listenUws({
      host: "127.0.0.1",
      port: 0,
      configure: app => {
        app.ws("/*", {
          maxPayloadLength: 1 << 20,
          message: (socket, message) => {
            writeSync(descriptor, new Uint8Array(message))
            fdatasyncSync(descriptor)
            socket.send('{"type":"trade"}')
          }
        })
      }
    })
    return { port: server.port }
  })

assist({ serve })
