/** Swaps of a venue of Solana in every form that its laws tell, made and read again. */
import { decodeTransaction } from "../../streams/solana/decode-transaction.ts"
import {
  accountsOf,
  addressOf,
  dataLog,
  eventCall,
  lamportsOf,
  type MadeInstruction,
  made,
  payloadOf,
  rayLog,
  transferOf
} from "../../streams/solana/made-transaction.ts"
import { NATIVE_MINT } from "../../streams/solana/moves.ts"
import type { Swap } from "../../streams/solana/swap.ts"
import { checkVaults } from "../../streams/solana/vault-check.ts"
import type { PoolAfter } from "../../streams/solana/venue.ts"
import {
  BIN_STEP,
  FEE_PERCENT,
  type LawCall,
  type LawForm,
  type LawHop,
  type LawSwap,
  type SolanaVenueLaws
} from "../../streams/solana/venue-laws.ts"
import { differences, type LawSubject, type LawTold, shown, tagOf } from "./solana-law-words.ts"

const BIN = -161
/** Second tokens a first one. */
const PRICE = (1 + BIN_STEP / 10_000) ** BIN
const ROOT = (BigInt(Math.floor(Math.sqrt(PRICE) * 2 ** 52)) << 12n) + 1_234n
const [IN, BEFORE_0, BEFORE_1] = [500_000_123n, 50_000_000_017n, 36_000_000_029n]
const HELD = 900_000_000_000n

/** The swap of a hop; each has its own pool, amounts and vaults. */
const swapOf = (laws: SolanaVenueLaws, hop: number, firstIn: boolean): LawSwap => {
  const paid = IN + 1_000n * BigInt(hop)
  const fee = (paid * BigInt(FEE_PERCENT * 100)) / 10_000n
  const net = Number(paid - fee)
  const out = BigInt(Math.floor(firstIn ? net * PRICE : net / PRICE))
  const [gained0, gained1] = firstIn ? [paid, -out] : [-out, paid]
  const ofQuote = laws.forms.some(({ after }) => after === "virtual quote")
  const [into, from] = firstIn ? [hop, hop + 1] : [2 - hop, 1 - hop]
  return {
    ...{ pool: addressOf(60 + hop), firstIn, in: paid, fee, out },
    mints: [addressOf(50 + into), addressOf(50 + from)],
    before: [BEFORE_0, BEFORE_1],
    after: [BEFORE_0 + gained0, BEFORE_1 + gained1],
    virtual: [ofQuote ? 0n : 7_000_003n, 3_000_007n],
    ...{ root: ROOT, liquidity: 987_654_321n, tick: -3_219, bin: BIN }
  }
}

/** What an event of the form says of the pool after the swap. */
const afterOf = (swap: LawSwap, form: LawForm): PoolAfter => {
  const sides = <A>([first, second]: readonly [A, A]) =>
    swap.firstIn ? { in: first, out: second } : { in: second, out: first }
  const root = { kind: "price" as const, sqrtPriceX64: swap.root }
  switch (form.after) {
    case "reserves":
      return { kind: "reserves", ...sides(swap.after) }
    case "virtual reserves":
    case "virtual quote":
      return { kind: "reserves", ...sides(swap.after), virtual: sides(swap.virtual) }
    case "root":
      return { ...root, liquidity: null, tick: null }
    case "root and liquidity":
      return { ...root, liquidity: swap.liquidity, tick: swap.tick }
    case "bin":
      return { kind: "bin", bin: swap.bin, step: null }
    case "bin and step":
      return { kind: "bin", bin: swap.bin, step: { step: BIN_STEP, isExact: true } }
    case "net":
      return { kind: "shares", net: swap.in - swap.fee }
  }
}

/** How a made swap is told. */
interface Telling {
  readonly what: string
  readonly forms: ReadonlyArray<LawForm>
  /** the one of them that says what the swap was */
  readonly believed: LawForm | undefined
  readonly carriers: ReadonlyArray<"log" | "call">
}

/** The forms that tell swaps of a direction. */
const formsOf = ({ forms }: SolanaVenueLaws, firstIn: boolean): ReadonlyArray<LawForm> =>
  forms.filter(form => (form.firstIn ?? firstIn) === firstIn)

const tellingsOf = (laws: SolanaVenueLaws, firstIn: boolean): ReadonlyArray<Telling> => {
  const fitting = formsOf(laws, firstIn)
  const carriers = laws.callsItself
    ? ([["log"], ["call"], ["log", "call"]] as const)
    : ([["log"]] as const)
  const alone = fitting.map(form => [`${form.event} of ${form.bytes} bytes`, [form]] as const)
  const both = [
    ["all events", fitting],
    ["all events, the last one first", fitting.toReversed()]
  ] as const
  return [...alone, ...(laws.toldTogether ? both : [])].flatMap(([what, forms]) =>
    carriers.map(by => ({
      ...{ what: `${what} by ${by.join(" and ")}`, forms, carriers: by },
      believed: fitting.find(form => forms.includes(form))
    }))
  )
}

const UNTOLD: Telling = { what: "transfers alone", forms: [], believed: undefined, carriers: [] }

/** One swap with its accounts. */
interface Leg {
  readonly swap: LawSwap
  readonly place: LawHop | null
  /** accounts as the instruction's places have them, and their mints */
  readonly vaults: readonly [string, string]
  readonly mints: readonly [string, string]
  /** the place of both that gains */
  readonly into: 0 | 1
}

/** As many swaps as the instruction makes; of a router two. */
const legsOf = (laws: SolanaVenueLaws, call: LawCall, firstIn: boolean): ReadonlyArray<Leg> =>
  (call.hops.length === 0 ? [null, null] : call.hops).map((place, hop) => {
    const swap = swapOf(laws, hop, firstIn)
    const into = call.inputFirst || firstIn ? 0 : 1
    const [paid, got] = swap.mints
    const second = place?.lamports === undefined ? null : NATIVE_MINT
    const mints = into === 0 ? ([paid, got] as const) : ([got, paid] as const)
    return {
      ...{ swap, place, into },
      vaults: [`vault ${hop} 0`, second === null ? `vault ${hop} 1` : swap.pool],
      mints: [mints[0], second ?? mints[1]]
    }
  })

/** Where the instruction lists what of a swap. */
const namedOf = ({ place, swap, vaults, mints }: Leg, hop: number) => {
  if (place === null) return {}
  const isNative = place.lamports !== undefined
  const [share0, share1] = place.shares ?? []
  return {
    ...(place.mints === undefined
      ? {}
      : { [place.mints[0]]: mints[0], [place.mints[1]]: mints[1] }),
    ...(share0 === undefined ? {} : { [share0]: `share ${hop} 0` }),
    ...(share1 === undefined ? {} : { [share1]: `share ${hop} 1` }),
    [place.vaults[0]]: vaults[0],
    [place.vaults[1]]: isNative ? `token vault ${hop} 1` : vaults[1],
    [place.pool]: swap.pool,
    ...(place.lamports === undefined ? {} : { [place.lamports]: swap.pool })
  }
}

const moved = (leg: Leg, from: string, to: string, amount: bigint): MadeInstruction =>
  leg.mints[1] === NATIVE_MINT && [from, to].includes(leg.vaults[1])
    ? lamportsOf(from, to, amount)
    : transferOf(from, to, amount)

const gainsOf = ({ swap, into }: Leg): readonly [bigint, bigint] =>
  into === 0 ? [swap.in, -swap.out] : [-swap.out, swap.in]

const madeOf = (subject: LawSubject, call: LawCall, legs: ReadonlyArray<Leg>, told: Telling) => {
  const { laws, authority } = subject
  const { program } = laws
  const payloads = legs.flatMap(({ swap }) =>
    told.forms.map(form =>
      payloadOf(tagOf(laws, "event", form.event), form.bytes, form.fields(swap))
    )
  )
  const log = laws.tags === undefined ? dataLog : rayLog
  const named = Object.assign({}, ...legs.map(namedOf), { [call.user]: "me" })
  const instruction: MadeInstruction = {
    program,
    accounts: accountsOf(call.accounts ?? 32, named),
    data: payloadOf(tagOf(laws, "global", call.name), 24, []),
    logs: told.carriers.includes("log") ? payloads.map(log) : [],
    calls: [
      ...legs.flatMap(leg => [
        moved(leg, "my input", leg.vaults[leg.into], leg.swap.in),
        moved(leg, leg.vaults[1 - leg.into] ?? "", "my output", leg.swap.out)
      ]),
      ...(told.carriers.includes("call") ? payloads : []).map(payload => ({
        ...{ program, accounts: [authority], data: eventCall(payload) }
      }))
    ]
  }
  const held = legs.flatMap(leg =>
    leg.vaults.map((vault, at) => ({
      ...{ vault, mint: leg.mints[at] ?? "", gain: gainsOf(leg)[at], owner: leg.swap.pool }
    }))
  )
  const isNative = ({ mint }: { readonly mint: string }) => mint === NATIVE_MINT
  const tokens = held.filter(one => !isNative(one))
  return {
    instructions: [instruction],
    tokens: Object.fromEntries(
      tokens.map(({ vault, mint, gain = 0n, owner }) => {
        return [vault, [mint, HELD, HELD + gain, owner] as const]
      })
    ),
    lamports: Object.fromEntries(held.filter(isNative).map(one => [one.vault, Number(one.gain)])),
    events: payloads.length * told.carriers.length
  }
}

const foundOf = ({ pool, user, in: into, out, inIsFirst, event, after }: Swap): LawTold => ({
  ...{ event, pool, user },
  "vault in": into.vault,
  "vault out": out.vault,
  "mint in": into.mint,
  "mint out": out.mint,
  "share in": into.share,
  "share out": out.share,
  "amount in": into.amount,
  "amount out": out.amount,
  "first token in": inIsFirst,
  "pool after": after
})

const expectedOf = (call: LawCall, leg: Leg, hop: number, told: Telling, hasMints: boolean) => {
  const { swap, into, vaults, mints, place } = leg
  const form = told.believed
  const isTold = call.inputFirst ? form?.tellsDirection === true : true
  const listed = (at: number): string | null =>
    hasMints || place?.mints !== undefined || mints[at] === NATIVE_MINT ? (mints[at] ?? "") : null
  const share = (at: number) => (place?.shares === undefined ? null : `share ${hop} ${at}`)
  const from = 1 - into
  return {
    ...{ event: form?.event ?? null, pool: swap.pool, user: "me" },
    "vault in": vaults[into],
    "vault out": vaults[from],
    "mint in": listed(into),
    "mint out": listed(from),
    "share in": share(into),
    "share out": share(from),
    "amount in": swap.in,
    "amount out": swap.out,
    "first token in": isTold ? swap.firstIn : null,
    "pool after": form === undefined ? null : afterOf(swap, form)
  }
}

/** What is wrong with one made swap, as it is read with balances of the vaults or without. */
const problemsOf = (
  subject: LawSubject,
  call: LawCall,
  legs: ReadonlyArray<Leg>,
  { told, balances }: { readonly told: Telling; readonly balances: boolean }
): ReadonlyArray<string> => {
  const { events, ...parts } = madeOf(subject, call, legs, told)
  const transaction = made({ ...parts, balances })
  const venues = new Map([[subject.venue.program, subject.venue]])
  const { swaps, refusals, counts } = decodeTransaction(transaction, venues)
  const count = counts.get(subject.venue.number) ?? { events: 0, noParent: 0 }
  const isRouter = call.hops.length === 0
  if (isRouter && told.forms.length === 0) return swaps.length === 0 ? [] : ["it gives a swap"]
  const found = [
    ...refusals.map(({ reason }) => `it is refused: ${reason}`),
    ...(swaps.length === legs.length ? [] : [`it gives ${swaps.length} swaps, not ${legs.length}`]),
    ...(count.events === events ? [] : [`${count.events} events are read, not ${events}`]),
    ...(count.noParent === 0 ? [] : [`${count.noParent} events are of no swap instruction`])
  ]
  const wrong = swaps.slice(0, legs.length).flatMap((swap, hop) => {
    const leg = legs[hop]
    if (leg === undefined) return []
    return differences(foundOf(swap), expectedOf(call, leg, hop, told, balances))
  })
  const unlike = balances
    ? checkVaults(transaction, swaps).filter(({ verdict }) => verdict !== "ok")
    : []
  return [...found, ...wrong, ...unlike.map(check => `its vaults say ${shown(check)}`)]
}

/** Laws say whether events are told together just where two of them may be. */
const unsaid = (laws: SolanaVenueLaws): ReadonlyArray<string> => {
  const isTwo = [true, false].some(
    firstIn => new Set(formsOf(laws, firstIn).map(({ event }) => event)).size > 1
  )
  if (isTwo === (laws.toldTogether !== undefined)) return []
  return [
    isTwo
      ? "toldTogether is missing: two events may tell one swap, so true or false has to be said"
      : "toldTogether is said where no two events tell swaps of one direction"
  ]
}

/** How many swaps an instruction makes, where laws and venue differ in that. */
const otherHops = ({ venue, laws }: LawSubject, call: LawCall): ReadonlyArray<string> => {
  const declared = venue.swapCalls[tagOf(laws, "global", call.name)]?.hops.length
  return declared === call.hops.length
    ? []
    : [`${call.name}: the venue has ${declared ?? "no"} hops, its laws ${call.hops.length}`]
}

/** What is wrong with made swaps, in both directions and told in every way. */
const madeProblems = (subject: LawSubject): ReadonlyArray<string> => {
  const { laws } = subject
  return laws.calls.flatMap(call =>
    [true, false].flatMap(firstIn => {
      const legs = legsOf(laws, call, firstIn)
      const accounts = call.accounts === undefined ? "" : ` of ${call.accounts} accounts`
      // without balances mints are those that the instruction lists, whatever tells the swap
      const ways = [
        { told: UNTOLD, balances: false },
        ...[UNTOLD, ...tellingsOf(laws, firstIn)].map(told => ({ told, balances: true }))
      ]
      return ways.flatMap(way =>
        problemsOf(subject, call, legs, way).map(problem => {
          const how = `${way.told.what}${way.balances ? "" : ", without balances"}`
          const side = firstIn ? "first" : "second"
          return `${call.name}${accounts}, ${side} token in, told by ${how}: ${problem}`
        })
      )
    })
  )
}

/** What is wrong with what is declared of swaps, else with made ones of every call. */
export const swapProblems = (subject: LawSubject): ReadonlyArray<string> => {
  const { laws } = subject
  const hops = laws.calls.flatMap(call => otherHops(subject, call))
  // swaps of other places than the venue's would only say so in other words
  const declared = [...unsaid(laws), ...hops]
  return declared.length > 0 ? declared : madeProblems(subject)
}
