/** What holds for every venue on Solana, read of what they declare. */
import { getProgramDerivedAddress, address as kitAddress } from "@solana/kit"
import { beforeAll, describe, expect, it } from "vitest"
import { toBase58 } from "../../src/domain/base58.ts"
import { swapProblems, tagOf } from "../../test/support/solana-law-swaps.ts"
import { payloadOf } from "./made-transaction.ts"
import type { PoolFacts, SolanaVenue } from "./venue.ts"
import { FEE_PERCENT, type SolanaVenueLaws } from "./venue-laws.ts"
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

const authorityOf = async (program: string): Promise<string> => {
  const seeds = ["__event_authority"]
  const [derived] = await getProgramDerivedAddress({ programAddress: kitAddress(program), seeds })
  return derived
}

/** Names with their discriminators, in the order of the names. */
const tagsOf = (named: { readonly [tag: string]: { readonly name: string } }) =>
  Object.entries(named)
    .map(([tag, { name }]) => `${name} ${tag}`)
    .toSorted()

/** The same of the names that laws tell, each once. */
const tagsOfLaws = (laws: SolanaVenueLaws, space: "event" | "global", names: Iterable<string>) =>
  [...new Set(names)].map(name => `${name} ${tagOf(laws, space, name)}`).toSorted()

/** What events tell of pools when each of their bytes is so and so, with how they are called. */
const factsOf = ({ poolEvents }: SolanaVenue) =>
  Object.values(poolEvents).flatMap(({ name, least, read }) =>
    FILLS.map(fill => read(new Uint8Array(least + LONGER).fill(fill), ACCOUNTS))
      .filter((one): one is PoolFacts => one !== null && typeof one !== "string")
      .map(facts => ({ name, facts }))
  )

/** The fees of a venue's creations in millionths: of data that tells one, else of any data. */
const feesOf = ({ poolEvents, poolCalls }: SolanaVenue, { fees = {} }: SolanaVenueLaws) => {
  const events = Object.entries(poolEvents).map(([tag, { name, read }]) => {
    const feeIn = (payload: Uint8Array) => {
      const facts = read(payload, ACCOUNTS)
      return facts !== null && typeof facts !== "string" && facts.kind === "created"
        ? facts.fee
        : null
    }
    return { tag, name, feeIn }
  })
  const calls = Object.entries(poolCalls).map(([tag, { name, creates }]) => ({
    ...{ tag, name },
    feeIn: (data: Uint8Array) => creates?.(data).fee ?? null
  }))
  const all = [...events, ...calls]
  const unknown = Object.keys(fees).filter(told => all.every(({ name }) => name !== told))
  const wrong = all.flatMap(({ tag, name, feeIn }) => {
    const told = fees[name]?.map(({ bytes, fields }) => payloadOf(tag, bytes, fields))
    const any = FILLS.map(fill => new Uint8Array(400).fill(fill))
    const should = told === undefined ? null : FEE_PERCENT * 10_000
    return (told ?? any)
      .map(feeIn)
      .filter(fee => fee !== should)
      .map(fee => `the fee of ${name} is ${fee}, not ${should} millionths`)
  })
  return [...unknown.map(name => `the venue has no event or instruction ${name}`), ...wrong]
}

it("are numbered from 1 in their order, one a program and one a name", () => {
  const numbered = (of: (number: number, i: number) => number) =>
    solanaVenues.map(({ name, number }, i) => [name, of(number, i)])
  expect(numbered(number => number)).toEqual(numbered((_, i) => i + 1))
  expect(venuesByProgram.size).toBe(solanaVenues.length)
  expect(new Set(solanaVenues.map(({ name }) => name)).size).toBe(solanaVenues.length)
})

describe.each(solanaVenues.map(venue => [venue.name, venue] as const))("%s", (_, venue) => {
  const { name, swapCalls, swapEvents, poolCalls, poolEvents, tagBytes, eventAuthority } = venue
  let laws: SolanaVenueLaws
  beforeAll(async () => {
    laws = ((await import(`./${name}/${name}.laws.ts`)) as { laws: SolanaVenueLaws }).laws
  })

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

  it("declares what its laws say: program, event authority, instructions and events", async () => {
    const { program, callsItself, calls, forms } = laws
    expect({
      ...{ program: venue.program, eventAuthority },
      calls: tagsOf(swapCalls),
      events: tagsOf(swapEvents)
    }).toEqual({
      ...{ program, eventAuthority: callsItself ? await authorityOf(program) : null },
      calls: tagsOfLaws(
        laws,
        "global",
        calls.map(call => call.name)
      ),
      events: tagsOfLaws(
        laws,
        "event",
        forms.map(({ event }) => event)
      )
    })
  })

  it("reads one swap alike of transfers, log, self-call and both, by every form of event", async () => {
    const problems = swapProblems({ venue, laws, authority: await authorityOf(laws.program) })
    expect(problems.slice(0, 5), `${problems.length} differences`).toEqual([])
  })

  it("tells the fee of a pool's creation in millionths, where its laws say that it is told", () => {
    expect(feesOf(venue, laws)).toEqual([])
  })

  it("has reserves and shape that its swaps' prices are of, and curves where pools graduate", () => {
    const after = laws.forms.map(form => form.after.split(" ")[0])
    const isOf = (...words: ReadonlyArray<string>) => after.some(word => words.includes(word ?? ""))
    const shapes = isOf("bin") ? ["bins"] : isOf("root") ? ["v3", "other"] : ["v2"]
    const graduates =
      Object.values(poolCalls).some(call => call.graduatesTo !== undefined) ||
      factsOf(venue).some(({ facts }) => facts.kind === "graduated")
    expect(shapes).toContain(venue.shape)
    expect([venue.reserves, venue.launches ?? false]).toEqual([
      isOf("root", "bin") ? "depth" : "price",
      graduates
    ])
  })
})
