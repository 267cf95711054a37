/** Readers of one page each, who ask again until it tells of a newer position. */
import { setTimeout as sleep } from "node:timers/promises"
import { type HttpAnswer, KeepAliveClient } from "../http/keep-alive-client.ts"

/** Milliseconds between two times of asking. */
const PAUSE_MS = 3

const headerOf = ({ headers }: HttpAnswer, name: string): string | undefined =>
  headers.find(([own]) => own === name)?.[1]

interface Seen {
  readonly seq: number
  readonly etag: string
  /** ms since 1970 */
  readonly at: number
}

const ask = async (client: KeepAliveClient, path: string): Promise<Seen> => {
  const answer = await client.get(path)
  const at = performance.timeOrigin + performance.now()
  const etag = headerOf(answer, "etag")
  if (answer.status !== 200 || etag === undefined) {
    throw new Error(`${path}: ${answer.status} ${answer.body}`)
  }
  return { seq: Number(headerOf(answer, "x-log-seq")), etag, at }
}

export class Readers {
  private readonly clients: ReadonlyArray<KeepAliveClient>

  private constructor(clients: ReadonlyArray<KeepAliveClient>) {
    this.clients = clients
  }

  static async open(port: number, count: number): Promise<Readers> {
    return new Readers(
      await Promise.all(Array.from({ length: count }, KeepAliveClient.open.bind(null, port)))
    )
  }

  close(): void {
    for (const client of this.clients) client.close()
  }

  /** Each asks for its page once, all at the same time. */
  once(paths: ReadonlyArray<string>): Promise<ReadonlyArray<Seen>> {
    return Promise.all(paths.map((path, i) => ask(this.clients[i] as KeepAliveClient, path)))
  }

  /**
   * Each asks for its page until it is not of the position that `before` was of; when that was, by
   * page. Another position without another ETag is a fault.
   */
  untilNewer(
    paths: ReadonlyArray<string>,
    before: ReadonlyArray<Seen>
  ): Promise<ReadonlyArray<Seen>> {
    return Promise.all(
      paths.map(async (path, i) => {
        const old = before[i] as Seen
        for (;;) {
          const seen = await ask(this.clients[i] as KeepAliveClient, path)
          if (seen.seq === old.seq) await sleep(PAUSE_MS)
          else if (seen.etag !== old.etag) return seen
          else throw new Error(`${path}: the same ETag at ${old.seq} and ${seen.seq}`)
        }
      })
    )
  }
}
