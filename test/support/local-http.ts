/** A server on this machine that answers as a test wants: wrong, broken off, or not at all. */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"

export interface LocalRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export type LocalAnswer =
  | {
      readonly status?: number
      readonly headers?: { readonly [name: string]: string }
      /** text as it is, anything else as JSON */
      readonly body: unknown
    }
  /** takes the request and says nothing; or sends the head and a part of the body alone */
  | "silence"
  | "half"
  /** ends the connection */
  | "hang-up"

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString("utf8")
}

export interface LocalServer {
  readonly url: string
  /** what was asked, in order */
  readonly requests: ReadonlyArray<LocalRequest>
  readonly close: () => Promise<void>
}

/** A server that passes on what a node answers hangs up where the node ends meanwhile. */
const hangUpWithNode = (error: unknown): "hang-up" => {
  if (error instanceof TypeError && error.message === "fetch failed") return "hang-up"
  throw error
}

export const localServer = async (
  answer: (request: LocalRequest) => LocalAnswer | Promise<LocalAnswer>
): Promise<LocalServer> => {
  const requests: Array<LocalRequest> = []
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://local")
    const asked = {
      ...{ method: request.method ?? "", path: pathname, query: searchParams },
      ...{ headers: request.headers, body: await bodyOf(request) }
    }
    requests.push(asked)
    const told = await Promise.resolve(answer(asked)).catch(hangUpWithNode)
    if (told === "silence") return
    if (told === "hang-up") {
      response.destroy()
      return
    }
    if (told === "half") {
      response.writeHead(200, { "content-type": "application/json" })
      response.write('{"code":0,')
      return
    }
    const { status = 200, headers = {}, body } = told
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}
