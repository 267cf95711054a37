/** Nodes that one test asks and what follows them: ended after it. */
import { afterEach } from "vitest"
import type { LogTail } from "../../streams/source.ts"
import type { SolanaRpcSource } from "../../streams/sources/solana-rpc/source.ts"
import { fakeNode } from "./fake-solana.ts"
import type { LocalServer } from "./local-http.ts"
import { type Following, followSource } from "./solana-reading.ts"

export const testNodes = () => {
  const servers: Array<LocalServer> = []
  const followings: Array<Following> = []
  afterEach(async () => {
    for (const following of followings.splice(0)) await following.stop()
    for (const server of servers.splice(0)) await server.close()
  })
  return {
    /** in the order in which they were started */
    servers,
    /** Starts a node of a chain, and returns its URL. */
    nodeOf: async (...made: Parameters<typeof fakeNode>): Promise<string> => {
      const server = await fakeNode(...made)
      servers.push(server)
      return server.url
    },
    urls: (): ReadonlyArray<string> => servers.map(({ url }) => url),
    hosts: (): ReadonlyArray<string> => servers.map(({ url }) => new URL(url).host),
    follow: (source: SolanaRpcSource, tail?: LogTail): Following => {
      const following = followSource(source, tail)
      followings.push(following)
      return following
    }
  }
}
