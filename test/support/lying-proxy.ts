/** A node that answers as another one does, but for calls of contracts that it lies about. */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

interface Answer {
  readonly id: number
  readonly result?: unknown
}

/** A call of a contract. */
interface Asked {
  readonly to: string
  readonly data: string
  /** the block as it was asked for, as JSON */
  readonly block: string
}

/** Makes of the true words of an answer what is answered. */
type Lie = (asked: Asked, words: ReadonlyArray<bigint>) => ReadonlyArray<bigint>

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

const wordsOf = (result: string): ReadonlyArray<bigint> =>
  (result.slice(2).match(/.{64}/g) ?? []).map(word => BigInt(`0x${word}`))

const lied = (call: Call | undefined, answer: Answer, lie: Lie): Answer => {
  const [asked, block] = (call?.params ?? []) as readonly [Partial<Asked>?, unknown?]
  const { result } = answer
  const { to, data } = asked ?? {}
  if (call?.method !== "eth_call" || typeof result !== "string") return answer
  if (to === undefined || data === undefined) return answer
  const words = lie({ to, data, block: JSON.stringify(block) }, wordsOf(result))
  const texts = words.map(word => BigInt.asUintN(256, word).toString(16).padStart(64, "0"))
  return { ...answer, result: `0x${texts.join("")}` }
}

/** The call as another block is asked for it. */
const moved = (call: Call, blockFor: (hash: string) => string): Call => {
  const [asked, block] = call.params ?? []
  const { blockHash } = (block ?? {}) as { readonly blockHash?: string }
  if (call.method !== "eth_call" || blockHash === undefined) return call
  return { ...call, params: [asked, { blockHash: blockFor(blockHash) }] }
}

/**
 * Starts a lying node before another one; `blockFor` says of which block, by its hash, calls are
 * answered that are for one.
 */
export const startLyingNode = async (
  nodeUrl: string,
  lie: Lie,
  blockFor: (hash: string) => string = hash => hash
) => {
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const headers = { "content-type": "application/json" }
    const asked = JSON.parse(body) as Call | ReadonlyArray<Call>
    const sent = Array.isArray(asked)
      ? asked.map(call => moved(call, blockFor))
      : moved(asked as Call, blockFor)
    const answer = await fetch(nodeUrl, { method: "POST", headers, body: JSON.stringify(sent) })
    const told = (await answer.json()) as Answer | ReadonlyArray<Answer>
    const calls = new Map([asked].flat().map(call => [(call as Call).id, call as Call]))
    const change = (one: Answer): Answer => lied(calls.get(one.id), one, lie)
    const changed = Array.isArray(told) ? told.map(change) : change(told as Answer)
    response.writeHead(200, headers).end(JSON.stringify(changed))
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
