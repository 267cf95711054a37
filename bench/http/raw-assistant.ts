/** The baseline of HTTP: uWebSockets sending an answer's very bytes, and nothing else. */
import { Effect } from "effect"
import { listenUws } from "../../src/platform/uws.ts"
import { assist } from "../measure/assist.ts"

export interface RawPage {
  readonly path: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** base64 */
  readonly body: string
}

/** uWebSockets writes these itself. */
const WRITTEN_ANYWAY = new Set(["content-length", "date", "uwebsockets"])

const serve = (pages: ReadonlyArray<RawPage>) =>
  Effect.map(
    listenUws({
      host: "127.0.0.1",
      port: 0,
      configure: app => {
        for (const { path, headers, body } of pages) {
          const written = headers.filter(([name]) => !WRITTEN_ANYWAY.has(name))
          const bytes = Buffer.from(body, "base64")
          app.get(path, response => {
            response.writeStatus("200 OK")
            for (const [name, value] of written) response.writeHeader(name, value)
            response.end(bytes)
          })
        }
      }
    }),
    ({ port }) => ({ port })
  )

assist({ serve })
