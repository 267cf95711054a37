/**
 * Asks a server on this machine over kept connections. Unlike `fetch` it asks for no compression,
 * which would be made and undone on the same two cores.
 */
import { Agent, type IncomingHttpHeaders, request } from "node:http"

/** Connections at rest are closed before the server does it. */
const agent = new Agent({ keepAlive: true, timeout: 4000 })

export interface Got {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** What is answered to a GET; fails where there is none, or none within `timeoutMs`. */
export const get = (
  url: string,
  headers: { readonly [name: string]: string } = {},
  timeoutMs?: number
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const signal = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
    const asked = request(url, { agent, headers, ...(signal && { signal }) }, response => {
      const parts: Array<Buffer> = []
      response.on("data", part => parts.push(part))
      response.on("error", reject)
      response.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8")
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    asked.on("error", reject)
    asked.end()
  })
