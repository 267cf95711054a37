/** What the tape tells of pins: each once, in the first block from which it holds. */
import type { IdForm } from "../src/domain/ids.ts"
import { type KnownAddress, KnownSet } from "./known-set.ts"

export class ToldPins {
  private readonly pinned: KnownSet
  private readonly unpinned: KnownSet
  /** pinned, or not any more, and not told yet */
  private readonly toPin = new Set<string>()
  private readonly toUnpin = new Set<string>()

  /** Tokens of which the log says that they are pinned, and that they are not any more. */
  constructor(
    form: IdForm,
    pinned: Iterable<KnownAddress> = [],
    unpinned: Iterable<KnownAddress> = []
  ) {
    this.pinned = new KnownSet(form, pinned)
    this.unpinned = new KnownSet(form, unpinned)
  }

  pin(token: string): void {
    if (!this.pinned.hasAddress(token)) this.toPin.add(token)
  }

  unpin(token: string): void {
    this.toUnpin.add(token)
  }

  /** Pinned tokens that the next block tells of. */
  get untold(): Iterable<string> {
    return this.toPin
  }

  get isNews(): boolean {
    return this.toPin.size + this.toUnpin.size > 0
  }

  /** Has a block tell what is to be told. */
  tellIn(block: number, pushUnpin: (token: string) => void, pushPin: (token: string) => void) {
    for (const token of this.toUnpin) {
      this.unpinned.addAddress(token, block)
      pushUnpin(token)
    }
    this.toUnpin.clear()
    for (const token of this.toPin) {
      this.pinned.addAddress(token, block)
      pushPin(token)
    }
    this.toPin.clear()
  }

  /** What was told after `block` was undone: it is told again. */
  forgetAfter(block: number): void {
    for (const token of this.pinned.forgetAfter(block)) this.toPin.add(token)
    for (const token of this.unpinned.forgetAfter(block)) {
      if (!this.toPin.has(token) && !this.pinned.hasAddress(token)) this.toUnpin.add(token)
    }
  }
}
