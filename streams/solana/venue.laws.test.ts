/** What holds for every venue on Solana, read of what they declare. */
import { getProgramDerivedAddress, address as kitAddress } from "@solana/kit"
import { describe, expect, it } from "vitest"
import { toBase58 } from "../../src/domain/base58.ts"
import { solanaVenues, venuesByProgram } from "./venues.ts"

/** Bytes that refuse to be read where there are none. */
const guarded = (bytes: Uint8Array): Uint8Array =>
  new Proxy(bytes, {
    get: (target, key) => {
      if (typeof key === "string" && /^-?\d+$/.test(key) && !(key in target)) {
        throw new RangeError(`byte ${key} of ${target.length}`)
      }
      if (key !== "subarray" && key !== "slice") {
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === "function" ? value.bind(target) : value
      }
      return (from = 0, to = target.length) => {
        if (Math.max(from, to) > target.length) {
          throw new RangeError(`bytes to ${Math.max(from, to)} of ${target.length}`)
        }
        return target.subarray(from, to)
      }
    }
  })

/** What was wrong with a call; null where nothing was. */
const refusal = (call: () => unknown): string | null => {
  try {
    call()
    return null
  } catch (cause) {
    return String(cause)
  }
}

/** What stands in each byte: every direction, kind and tag that layouts tell apart. */
const FILLS = [0, 1, 2, 3, 255]
/** Bytes beyond `least`, of which newer programs tell some; grown forms begin at such a length. */
const LONGER = 120

const ACCOUNTS = Array.from({ length: 40 }, (_, i) => toBase58(new Uint8Array(32).fill(i + 1)))

it("are numbered from 1 in their order, one a program and one a name", () => {
  expect(solanaVenues.map(({ number }) => number)).toEqual(solanaVenues.map((_, i) => i + 1))
  expect(venuesByProgram.size).toBe(solanaVenues.length)
  expect(new Set(solanaVenues.map(({ name }) => name)).size).toBe(solanaVenues.length)
})

describe.each(solanaVenues.map(venue => [venue.name, venue] as const))("%s", (_, venue) => {
  const { swapCalls, swapEvents, poolCalls, poolEvents, tagBytes, eventAuthority } = venue

  it("has discriminators of as many bytes as it says", () => {
    const tags = [swapCalls, swapEvents, poolCalls, poolEvents].flatMap(all => Object.keys(all))
    const wrong = tags.filter(tag => !/^[0-9a-f]+$/.test(tag) || tag.length !== 2 * tagBytes)
    expect(wrong).toEqual([])
  })

  it("reads no event beyond its end, which is `least` bytes at the lowest", () => {
    const layouts = [...Object.values(swapEvents), ...Object.values(poolEvents)]
    const beyond = layouts.flatMap(({ name, least, read }) =>
      Array.from({ length: LONGER + 1 }, (_, i) => least + i)
        .flatMap(length => FILLS.map(fill => new Uint8Array(length).fill(fill)))
        .map(payload => [name, refusal(() => read(guarded(payload), ACCOUNTS))] as const)
        .filter(([, refused]) => refused !== null)
    )
    expect(layouts.length).toBeGreaterThan(0)
    expect(beyond.slice(0, 3)).toEqual([])
  })

  it("names as event authority the account that Anchor derives of its program", async () => {
    if (eventAuthority === null) return
    const programAddress = kitAddress(venue.program)
    const seeds = ["__event_authority"]
    const [derived] = await getProgramDerivedAddress({ programAddress, seeds })
    expect(eventAuthority).toBe(derived)
  })
})
