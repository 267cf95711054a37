import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { PLANS } from "../../src/rules/plans.ts"
import { KeyBook } from "./key-book.ts"
import { decodeKeyEvent, encodeKeyEvent, type KeyEvent } from "./key-event.ts"
import { digestSecret, keyText, readKeyText } from "./key-text.ts"

const ID = "0123456789ab"
const [FIRST, SECOND] = ["1a".repeat(32), "2b".repeat(32)]
const [SALT, OTHER_SALT] = ["5a".repeat(16), "6b".repeat(16)]
const limits = { ...PLANS["basic"], default: 77 } as Record<string, number>

const created: KeyEvent = {
  ...{ kind: "KeyCreated", id: ID, name: "bot", plan: "basic", limits, atMs: 1_000 },
  ...digestSecret(SALT, FIRST)
}
const rotated = (formerUntilMs: number | null): KeyEvent => ({
  ...{ kind: "KeyRotated", id: ID, formerUntilMs, atMs: 5_000 },
  ...digestSecret(OTHER_SALT, SECOND)
})
const revoked: KeyEvent = { kind: "KeyRevoked", id: ID, atMs: 9_000 }

const bookOf = (...events: ReadonlyArray<KeyEvent>): KeyBook => {
  const book = new KeyBook()
  for (const event of events) book.apply(event)
  return book
}
const first = keyText({ id: ID, secret: FIRST })
const second = keyText({ id: ID, secret: SECOND })
/** The name of the key that a text opens, or why it opens none. */
const opened = (book: KeyBook, text: string, nowMs = 10_000): string =>
  Result.match(book.check(text, nowMs), {
    onSuccess: ({ key }) => key.name,
    onFailure: ({ message }) => message
  })

describe("a key's text", () => {
  it("has an id and a secret", () => {
    expect(first).toBe(`st_${ID}_${FIRST}`)
    expect(readKeyText(first)).toEqual({ id: ID, secret: FIRST })
    for (const text of ["", "x", first.slice(1), `${first}0`, ` ${first}`, first.toUpperCase()]) {
      expect([text, readKeyText(text)]).toEqual([text, null])
    }
  })

  it("is kept as a salted hash", () => {
    expect(digestSecret("salt", "secret")).toEqual({
      salt: "salt",
      // echo -n saltsecret | sha256sum
      digest: "bede90386d450cea8b77b822f8887065e4e5abf132c2f9dccfcc7fbd4cba5e35"
    })
  })
})

describe("the keys", () => {
  it("know whose a text is, by its id and its secret", () => {
    const book = bookOf(created)
    expect(opened(book, first)).toBe("bot")
    expect(opened(book, second)).toContain("is not known here")
    expect(opened(book, first.replace(ID, "ffffffffffff"))).toContain("is not known here")
    expect(opened(book, first.slice(0, 50))).toContain("has not the form of a key")
    expect(book.keys).toEqual([
      {
        ...{ id: ID, name: "bot", plan: "basic", limits, createdAtMs: 1_000 },
        ...{ rotatedAtMs: null, revokedAtMs: null }
      }
    ])
  })

  it("take another secret, the one before at once or after a while no more", () => {
    const atOnce = bookOf(created, rotated(null))
    expect([opened(atOnce, first), opened(atOnce, second)]).toEqual([
      `the secret of API key ${ID} was replaced at 1970-01-01T00:00:05.000Z: use the new one`,
      "bot"
    ])
    const later = bookOf(created, rotated(12_000))
    expect(opened(later, first, 11_999)).toBe("bot")
    expect(opened(later, first, 12_000)).toContain("was replaced")
    expect(later.keys[0]?.rotatedAtMs).toBe(5_000)
  })

  it("end for good when revoked, for those who hold a credential too", () => {
    const book = bookOf(created, rotated(12_000))
    const held = Result.getOrThrow(book.check(second, 6_000))
    book.apply(revoked)
    expect(held.untilMs).toBe(0)
    const words = `API key ${ID} was revoked at 1970-01-01T00:00:09.000Z: ask who runs the service for another`
    expect([opened(book, first), opened(book, second)]).toEqual([words, words])
    book.apply({ ...rotated(null), ...digestSecret(SALT, "3c".repeat(32)) } as KeyEvent)
    expect(opened(book, keyText({ id: ID, secret: "3c".repeat(32) }))).toContain("is not known")
  })

  it("are the same when events are folded again", () => {
    const events = [created, rotated(12_000), revoked]
    const [once, twice] = [bookOf(...events), bookOf(...events, ...events)]
    expect(twice.keys).toEqual(once.keys)
    expect(opened(twice, second)).toBe(opened(once, second))
  })

  it("have limits of buckets that their event does not know", () => {
    const book = bookOf({ ...created, limits: { default: 5 } } as KeyEvent)
    expect(book.keys[0]?.limits).toEqual({ ...PLANS["basic"], default: 5 })
  })
})

describe("an event", () => {
  it("is JSON, and bears no secret", () => {
    for (const event of [created, rotated(3), rotated(null), revoked]) {
      const bytes = encodeKeyEvent(event)
      expect(decodeKeyEvent(bytes)).toEqual(event)
      expect(new TextDecoder().decode(bytes)).not.toMatch(new RegExp(`${FIRST}|${SECOND}`))
    }
    expect(decodeKeyEvent(new TextEncoder().encode('{"kind":"KeyLent","id":"x"}'))).toBe(null)
    expect(decodeKeyEvent(Uint8Array.of(1, 2))).toBe(null)
  })
})
