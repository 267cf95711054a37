/** Which WebSockets push no heads, though the chain has new ones: others tell them. */

/** Heads that others told in a row before a socket is called silent. */
const MOST_UNPUSHED = 10

/** What is pushed over one socket. */
export class PushedHeads {
  readonly label: string
  private last = -1
  private unpushed = 0

  /** @param label host and port */
  constructor(label: string) {
    this.label = label
  }

  /** It pushed a block or slot; the same one again is as good as silence. */
  pushed(block: number): void {
    if (block === this.last) return
    this.last = block
    this.unpushed = 0
  }

  /** Somebody told of a newer head than before. */
  moved(): void {
    this.unpushed++
  }

  /** What to say of it; null where it pushes. */
  get warning(): string | null {
    return this.unpushed < MOST_UNPUSHED
      ? null
      : `${this.label} pushes no new blocks over its WebSocket: they are asked for instead`
  }
}
