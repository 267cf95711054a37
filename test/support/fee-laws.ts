/**
 * Laws of fees: what an event says of one is read, and what is told of one lowers what a quote pays.
 * A fee that is dropped on the way leaves quotes that are too good, or none at all.
 */
import { describe, expect, it } from "vitest"
import type { Event } from "../../streams/event.ts"
import type { AnyVenueKind, EventDecoder, StateAnswer } from "../../streams/venue.ts"
import { type EventArgs, LAW_FACTORY, type LawPool } from "../../streams/venue-laws.ts"
import { abiEvent, encodeLog, randomArgs } from "./abi-logs.ts"
import { sharedOf } from "./declaration-laws.ts"
import { decodeAll } from "./decode-one.ts"
import { stateOf } from "./law-swaps.ts"
import { rawLogOf } from "./raw-logs.ts"
import { rounds } from "./rounds.ts"
import { random } from "./seed.ts"
import { type KindUnderLaw, meaningOf } from "./venue-laws.ts"

const EMITTER = `0x${"ee".repeat(20)}`
/** Pairs of logs that are read, and those drawn for them: some decoders take few of any. */
const READ = 20
const DRAWN = 3000
/** Pools that are drawn, of all sorts that a kind has. */
const POOLS = rounds(40)
const AMOUNTS = [1000n, 10n ** 6n, 10n ** 9n, 10n ** 13n, 10n ** 18n]

/** The source that is `fee` of a pool's facts. */
const FACTS = "facts.fee"

/** A fee half way to all of the input. */
const higherFee = (fee: number): number => Math.floor((fee + 999_999) / 2)

const isFee = (name: string | undefined): boolean => /fee/i.test(name ?? "")

/** Whether logs that differ in one argument alone are read as different events. */
const isRead = ({ abi, decode }: EventDecoder, argument: string): boolean => {
  const event = abiEvent(abi)
  const chance = random(`${abi} ${argument}`)
  const meaning = (args: EventArgs): string | null => {
    const events = decodeAll(decode, rawLogOf(encodeLog(event, args, EMITTER)))
    return typeof events === "string"
      ? null
      : JSON.stringify(events.map(meaningOf), (_, value) =>
          typeof value === "bigint" ? `${value}n` : value
        )
  }
  for (let drawn = 0, read = 0; drawn < DRAWN && read < READ; drawn++) {
    const args = randomArgs(chance, event)
    const [one, other] = [
      meaning(args),
      meaning({ ...args, [argument]: randomArgs(chance, event)[argument] as never })
    ]
    if (one === null || other === null) continue
    read++
    if (one !== other) return true
  }
  return false
}

/** Fees that an event tells and that nothing decoded of it depends on. */
const unreadFees = ({ kind, laws }: KindUnderLaw): ReadonlyArray<string> =>
  kind.events.flatMap(event =>
    abiEvent(event.abi).inputs.flatMap(({ name = "" }) =>
      !isFee(name) || laws.feesBeside?.[name] !== undefined || isRead(event, name)
        ? []
        : [`"${event.abi}": ${name}`]
    )
  )

/** Rounds of calls that are followed, each answered with small numbers. */
const ROUNDS = 4
const SMALL = Array.from({ length: 8 }, () => 1n)

/** Functions that a read of the pool's state calls. */
const abisAsked = (kind: AnyVenueKind, { facts }: LawPool): ReadonlyArray<string> => {
  const question = { facts, factory: LAW_FACTORY, known: kind.pool.initial(facts), time: 1 }
  const asked: Array<string> = []
  const answers: Array<ReadonlyArray<StateAnswer>> = []
  for (let round = 0; round < ROUNDS; round++) {
    const calls = kind.stateRead?.calls(question, answers) ?? []
    asked.push(...calls.map(({ abi }) => abi))
    answers.push(calls.map(() => SMALL))
  }
  return asked
}

/** What logs of the event by chance tell. */
const eventsOf = ({ abi, decode }: EventDecoder): ReadonlyArray<Event> => {
  const event = abiEvent(abi)
  const chance = random(`${abi} fee`)
  return Array.from({ length: READ }, () => {
    const events = decodeAll(decode, rawLogOf(encodeLog(event, randomArgs(chance, event), EMITTER)))
    return typeof events === "string" ? [] : events
  }).flat()
}

/** A source of the fee of a pool, and the pool as it would be with another one. */
interface FeeSource {
  /** of a parameter, or `FACTS` */
  readonly name: string
  readonly others: ReadonlyArray<LawPool>
}

const withParameter = ({ facts, history }: LawPool, name: string, value: bigint): LawPool => ({
  facts,
  history: history.map(event =>
    event.kind === "PoolParameterSet" && event.name === name ? { ...event, value } : event
  )
})

/** The fee of the facts, and each parameter with `fee` in its name. */
const sourcesOf = (one: LawPool): ReadonlyArray<FeeSource> => {
  const { facts, history } = one
  const { fee } = facts
  const fees = fee === null ? [] : [0, fee * 2, higherFee(fee)]
  const told = new Map<string, bigint>(
    history.flatMap(event =>
      event.kind === "PoolParameterSet" && isFee(event.name)
        ? [[event.name, event.value] as const]
        : []
    )
  )
  const ofFacts = fees.map(other => ({ facts: { ...facts, fee: other }, history }))
  return [
    ...(fee === null ? [] : [{ name: FACTS, others: ofFacts }]),
    ...[...told].map(([name, value]) => ({
      name,
      others: [0n, value * 2n, value + 100n].map(other => withParameter(one, name, other))
    }))
  ]
}

const paidBy = ({ kind }: KindUnderLaw, one: LawPool): ReadonlyArray<bigint | null> => {
  const state = stateOf(kind, one)
  return AMOUNTS.flatMap(amount =>
    [0, 1].map(side => {
      const quote = kind.pool.quote(state, one.facts, side, 1 - side, amount)
      return quote.ok ? quote.amountOut : null
    })
  )
}

const differs = (before: bigint | null | undefined, after: bigint): boolean =>
  before !== undefined && before !== null && before !== after

const text = ({ name }: FeeSource): string => (name === FACTS ? "`fee` of the facts" : `"${name}"`)

/** Sources of fees that change no quote of any pool of the laws. */
const idleFees = (under: KindUnderLaw): ReadonlyArray<string> => {
  const { kind, laws } = under
  const chance = random(`${kind.kind} fees`)
  const effect = new Map<string, boolean>()
  for (let drawn = 0; drawn < POOLS; drawn++) {
    const one = laws.pool(chance)
    const paid = paidBy(under, one)
    for (const source of sourcesOf(one)) {
      if (laws.feesBeside?.[source.name] !== undefined) continue
      const isMoved = source.others.some(other =>
        paidBy(under, other).some((amount, i) => amount !== null && differs(paid[i], amount))
      )
      effect.set(text(source), isMoved || effect.get(text(source)) === true)
    }
  }
  return [...effect].flatMap(([name, isMoved]) => (isMoved ? [] : [name]))
}

/** A higher fee of the facts pays no more than a lower one. */
const lowersQuotes = (under: KindUnderLaw): void => {
  const chance = random(`${under.kind.kind} higher fee`)
  for (let run = 0; run < POOLS; run++) {
    const { facts, history } = under.laws.pool(chance)
    const { fee } = facts
    if (fee === null) continue
    const higher = { facts: { ...facts, fee: higherFee(fee) }, history }
    const paid = paidBy(under, { facts, history })
    for (const [i, amount] of paidBy(under, higher).entries()) {
      const before = paid[i] ?? null
      if (before === null || amount === null) continue
      expect(
        amount,
        `run ${run}: at a fee of ${higher.facts.fee} of 1e6 a quote of ${under.kind.kind} pays more than ` +
          `at ${fee}: facts hold the part of the input that the pool keeps (head of streams/venue.ts)`
      ).toBeLessThanOrEqual(before)
    }
  }
}

/** What tells the `fee` that pools of the laws have in their facts; empty where nothing does. */
const tellersOf = (
  under: KindUnderLaw,
  kinds: ReadonlyArray<AnyVenueKind>
): ReadonlyArray<string> => {
  const { kind, laws } = under
  const chance = random(`${kind.kind} fee told`)
  const events = [...kind.events, ...sharedOf(under, kinds)]
  const isCreated = events.some(event =>
    eventsOf(event).some(one => one.kind === "PoolCreated" && one.fee !== null)
  )
  const asks = Array.from({ length: POOLS }, () => abisAsked(kind, laws.pool(chance))).flat()
  return [
    isCreated ? "PoolCreated" : null,
    kind.hasVenueFee === true ? "hasVenueFee" : null,
    kind.poolCalls.some(({ fact }) => fact === "fee") ? "poolCalls" : null,
    asks.some(abi => isFee(abi)) ? "stateRead" : null
  ].filter(one => one !== null)
}

/** What is wrong with `hasVenueFee` of a kind; null where nothing. */
const problemOfVenueFee = (
  under: KindUnderLaw,
  kinds: ReadonlyArray<AnyVenueKind>
): string | null => {
  const { kind, laws } = under
  if (kind.hasVenueFee !== true) return null
  const chance = random(`${kind.kind} venue fee`)
  const pools = Array.from({ length: POOLS }, () => laws.pool(chance))
  const others = tellersOf(under, kinds).filter(one => one !== "hasVenueFee")
  const says =
    `hasVenueFee: true in streams/evm/${kind.kind}/venue.ts says that the venue's row tells one fee ` +
    "of all its pools (feeBps)"
  if (others.length > 0) {
    return `${says}, and ${others.join(", ")} tells it of each pool: leave hasVenueFee out`
  }
  return pools.some(({ facts }) => facts.fee !== null)
    ? null
    : `${says}, and pools of ${kind.kind}.laws.ts have no \`fee\` in their facts: leave hasVenueFee ` +
        "out, or give the pools of the laws the fee with which the kind quotes"
}

export const feeLaws = (under: KindUnderLaw, kinds: ReadonlyArray<AnyVenueKind>): void => {
  const { kind, laws } = under
  const place = `streams/evm/${kind.kind}`
  describe(`${kind.kind}: fees`, () => {
    it("are read of each event that tells one", () => {
      const unread = unreadFees(under)
      expect(
        unread,
        `arguments of events that tell a fee, of which nothing that ${place}/decode.ts pushes tells:\n` +
          `${unread.join("\n")}\nPush it as the fee of the event or as a parameter with \`fee\` in ` +
          `its name; where no quote depends on it, name it in feesBeside of ${kind.kind}.laws.ts`
      ).toEqual([])
    })

    it("are the venue's where it says so", () => {
      const problem = problemOfVenueFee(under, kinds)
      expect(problem, problem ?? "").toBeNull()
    })

    if (kind.neverQuotes !== undefined) return
    it("change what is quoted", () => {
      const idle = idleFees(under)
      expect(
        idle,
        `${idle.join(", ")} of pools of the laws may be anything, and the quote of ${place} pays the ` +
          "same: it ignores the fee. Reckon with it in `quote`; a part of the fee that goes to the " +
          `protocol and changes no amount is named in feesBeside of ${kind.kind}.laws.ts`
      ).toEqual([])
    })

    it("lower what is quoted", () => lowersQuotes(under))

    it("of the facts are told by something", () => {
      const chance = random(`${kind.kind} facts of fees`)
      const pools = Array.from({ length: POOLS }, () => laws.pool(chance))
      if (pools.every(({ facts }) => facts.fee === null)) return
      expect(
        tellersOf(under, kinds),
        `pools of ${kind.kind}.laws.ts have a \`fee\` in their facts that nothing tells, so no real pool ` +
          "has one and none is quoted. Push the fee with PoolCreated (decode.ts), ask pools for it " +
          '(a call of `fact: "fee"` in poolCalls), or, where all pools of a venue take one that its ' +
          "row tells (feeBps), write hasVenueFee: true in venue.ts"
      ).not.toEqual([])
    })
  })
}
