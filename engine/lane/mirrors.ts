/** The mirrors of a lane's projections on the serving thread. */
import type { ChainConfig } from "../../src/domain/chain.ts"
import type { Mirror, MirrorAnswer, Projection } from "../projection.ts"
import type { FromLane, Position, ToMirrors } from "./messages.ts"
import type { QueryAnswer, QueryRequest } from "./protocol.ts"

const encoder = new TextEncoder()

export const isForMirrors = (message: FromLane): message is ToMirrors =>
  message.type === "mirror-rows" ||
  message.type === "mirror-commit" ||
  message.type === "mirror-forget"

export class Mirrors {
  private readonly chain: ChainConfig
  private readonly mirrors: ReadonlyMap<string, Mirror>
  private readonly queries: ReadonlyMap<string, MirrorAnswer<never>>
  /** the newest commit they have heard of */
  private at: Position | null = null

  constructor(chain: ChainConfig, projections: ReadonlyArray<Projection>) {
    this.chain = chain
    this.mirrors = new Map(
      projections.flatMap(({ name, mirror }) => (mirror === undefined ? [] : [[name, mirror()]]))
    )
    this.queries = new Map(
      [...this.mirrors.values()].flatMap(({ queries }) => Object.entries(queries))
    )
  }

  receive(message: ToMirrors): void {
    switch (message.type) {
      case "mirror-rows":
        this.mirrors.get(message.projection)?.take(message.message)
        return
      case "mirror-commit":
        this.at = message.at
        for (const mirror of this.mirrors.values()) mirror.committed()
        return
      case "mirror-forget":
        this.forget()
    }
  }

  /** The worker is gone, or its tables are others now. */
  forget(): void {
    this.at = null
    for (const mirror of this.mirrors.values()) mirror.forget()
  }

  /** The answer, as of the newest commit; null where the lane must be asked. */
  recall({ name, params }: QueryRequest): QueryAnswer | null {
    if (this.at === null) return null
    const value = this.queries.get(name)?.({ chain: this.chain, ...this.at }, params as never)
    if (value === undefined) return null
    return { ok: true, seq: this.at.seq, body: encoder.encode(JSON.stringify(value)) }
  }
}
