/** API keys for tests of the API alone: made, replaced and revoked without a log. */
import { KeyBook } from "../../engine/keys/key-book.ts"
import { digestSecret, keyText } from "../../engine/keys/key-text.ts"
import { type Limits, PLANS } from "../../src/rules/plans.ts"

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0")

export class TestKeys {
  readonly book = new KeyBook()
  private made = 0

  /** Makes a key of the plan `basic`, with other limits where told; returns its text. */
  create(name: string, limits: Partial<Limits> = {}): string {
    const parts = { id: hex(++this.made, 12), secret: hex(this.made, 64) }
    const all = { ...(PLANS["basic"] as Limits), ...limits }
    this.book.apply({
      ...{ kind: "KeyCreated", id: parts.id, name, plan: "basic", limits: all, atMs: 1_000 },
      ...digestSecret(hex(this.made, 32), parts.secret)
    })
    return keyText(parts)
  }

  revoke(text: string): void {
    this.book.apply({ kind: "KeyRevoked", id: text.split("_")[1] ?? "", atMs: 2_000 })
  }
}
