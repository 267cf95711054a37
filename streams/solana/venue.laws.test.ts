/** What holds for every venue on Solana, read of what they declare. */
import { getProgramDerivedAddress, address as kitAddress } from "@solana/kit"
import { beforeAll, describe, expect, it } from "vitest"
import { toBase58 } from "../../src/domain/base58.ts"
import { solana } from "../../src/domain/chains/solana.ts"
import { deedProblems } from "../../test/support/solana-law-deeds.ts"
import { swapProblems } from "../../test/support/solana-law-swaps.ts"
import { tagOf } from "../../test/support/solana-law-words.ts"
import { venueOfPool } from "../pool-venue.ts"
import type { PoolCall, PoolFacts, SolanaVenue } from "./venue.ts"
import type { LawDeed, SolanaVenueLaws } from "./venue-laws.ts"
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

/** A place of accounts at which no layout has one. */
const NO_PLACE = 39

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

  it("declares what its laws say: program, event authority, fee, instructions and events", async () => {
    const { program, callsItself, calls, forms, deeds } = laws
    const named = <A>(of: (deed: LawDeed) => ReadonlyArray<A>) => deeds.flatMap(of)
    expect({
      ...{ program: venue.program, eventAuthority },
      feeBps: venueOfPool(solana, venue.program, name)?.feeBps,
      calls: tagsOf(swapCalls),
      events: tagsOf(swapEvents),
      poolCalls: tagsOf(poolCalls),
      poolEvents: tagsOf(poolEvents)
    }).toEqual({
      ...{ program, eventAuthority: callsItself ? await authorityOf(program) : null },
      feeBps: laws.feeBps,
      calls: tagsOfLaws(
        laws,
        "global",
        calls.map(call => call.name)
      ),
      events: tagsOfLaws(
        laws,
        "event",
        forms.map(({ event }) => event)
      ),
      poolCalls: tagsOfLaws(
        laws,
        "global",
        named(deed => deed.calls.map(({ name }) => name))
      ),
      poolEvents: tagsOfLaws(
        laws,
        "event",
        named(deed => deed.forms.map(({ event }) => event))
      )
    })
  })

  it("reads one swap alike of transfers, log, self-call and both, by every form of event", async () => {
    const problems = swapProblems({ venue, laws, authority: await authorityOf(laws.program) })
    expect(problems.slice(0, 5), `${problems.length} differences`).toEqual([])
  })

  it("reads what is done to pools as its laws tell it, of events and of instructions alone", async () => {
    const problems = deedProblems({ venue, laws, authority: await authorityOf(laws.program) })
    expect(problems.slice(0, 5), `${problems.length} differences`).toEqual([])
  })

  it("declares nothing of instructions, and no rank of an event, that no law needs", async () => {
    const authority = await authorityOf(laws.program)
    const without = (call: PoolCall, key: string): PoolCall => {
      const others = Object.entries(call).filter(([other]) => other !== key)
      return { pool: NO_PLACE, ...Object.fromEntries(others) } as PoolCall
    }
    const idle = Object.entries(poolCalls).flatMap(([tag, call]) => {
      const deeds = laws.deeds.filter(deed => deed.calls.some(one => one.name === call.name))
      const isIdle = (key: string): boolean => {
        const lacking = { ...venue, poolCalls: { ...poolCalls, [tag]: without(call, key) } }
        return deedProblems({ venue: lacking, laws: { ...laws, deeds }, authority }).length === 0
      }
      const keys = Object.keys(call).filter(key => key !== "name" && isIdle(key))
      return keys.map(key => `${call.name}: ${key}`)
    })
    const ranked = Object.entries(poolEvents).filter(([, { rank = 0 }]) => rank > 0)
    const idleRanks = ranked.filter(([tag, event]) => {
      const level = { ...venue, poolEvents: { ...poolEvents, [tag]: { ...event, rank: 0 } } }
      return deedProblems({ venue: level, laws, authority }).length === 0
    })
    expect([...idle, ...idleRanks.map(([, { name }]) => `${name}: rank`)]).toEqual([])
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
