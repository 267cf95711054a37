/** A node of Solana that has blocks of real size, and does nothing but tell them. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { assist } from "../measure/assist.ts"
import { blockAlone, blockParts, FIRST_SLOT } from "./real-size-block.ts"

interface Start {
  readonly leastBytes: number
  readonly blocks: number
}

interface Call {
  readonly method: string
  readonly params: readonly [number, number & { readonly transactionDetails?: string }]
}

const answer = ({ leastBytes, blocks }: Start, call: Call, response: ServerResponse): void => {
  const { method, params } = call
  const last = FIRST_SLOT + blocks - 1
  const end = (result: unknown) => response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result }))
  if (method === "getGenesisHash") end("genesis")
  else if (method === "getSlot") end(last)
  else if (method === "getBlocks") {
    const [from, to] = params
    const count = Math.max(0, Math.min(to, last) - from + 1)
    end(Array.from({ length: count }, (_, i) => from + i))
  } else if (params[1]?.transactionDetails === "none") response.end(blockAlone(params[0]))
  else {
    const { head, body } = blockParts(leastBytes, params[0])
    response.writeHead(200, { "content-length": head.length + body.length })
    response.write(head)
    response.end(body)
  }
}

const start = (input: Start) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer(async (request: IncomingMessage, response) => {
        answer(input, JSON.parse(await text(request)) as Call, response)
      }).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    server =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(Effect.map(server => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))

assist({ start })
