/** What programs of Solana do to pools, in every form that laws of a venue tell, made and read. */
import { decodeTransaction } from "../../streams/solana/decode-transaction.ts"
import {
  accountsOf,
  addressOf,
  dataLog,
  eventCall,
  type MadeInstruction,
  made,
  payloadOf,
  rayLog,
  transferOf
} from "../../streams/solana/made-transaction.ts"
import { TOKEN } from "../../streams/solana/moves.ts"
import type { PoolEvent } from "../../streams/solana/swap.ts"
import {
  FEE_MILLIONTHS,
  type LawDeed,
  type LawPool,
  type LawPoolCall,
  type LawPoolForm,
  type LawWord,
  type SolanaVenueLaws
} from "../../streams/solana/venue-laws.ts"
import { differences, type LawSubject, type LawTold, tagOf } from "./solana-law-words.ts"

/** Numbers that fill their bytes: one that is read at another place or width is another one. */
const POOL: LawPool = {
  pool: addressOf(61),
  mints: [addressOf(51), addressOf(52)],
  owner: addressOf(62),
  position: addressOf(63),
  spacing: 0x0141,
  amounts: [0x0107_0203_0405_0607n, 0x0208_090a_0b0c_0d0en],
  before: [0x1111_2222_3333_4444n, 0x1555_6666_7777_8888n],
  fees: [0x0301_0203_0405_0607n, 0x0402_090a_0b0c_0d0en],
  to: addressOf(64)
}

/** They hold the pool's tokens, as balances tell, and one its owner's shares of the pool. */
const [VAULT_0, VAULT_1, SHARES, SHARE_MINT] = [65, 66, 67, 68].map(addressOf) as [
  string,
  string,
  string,
  string
]

/** What addresses are called in what is said to be wrong. */
const NAMES = [
  [POOL.pool, "the pool"],
  [POOL.mints[0], "the first mint"],
  [POOL.mints[1], "the second mint"],
  [POOL.owner, "the owner"],
  [POOL.position, "the position"],
  [POOL.to, "the pool behind the curve"]
] as const

const withNames = (problem: string): string =>
  NAMES.reduce((text, [address, name]) => text.replaceAll(address, name), problem)

/** How one thing is told: by which events, in their order, of which instruction. */
interface Telling {
  readonly deed: LawDeed
  readonly pool: LawPool
  /** null: an instruction that nobody knows */
  readonly call: LawPoolCall | null
  readonly forms: ReadonlyArray<LawPoolForm>
  /** the one of them that is believed */
  readonly believed: LawPoolForm | undefined
  readonly carriers: ReadonlyArray<"log" | "call">
}

const formText = ({ event, bytes }: LawPoolForm): string => `${event} of ${bytes} bytes`

const tellingText = ({ deed, call, forms, carriers }: Telling): string => {
  const by =
    forms.length === 0
      ? "itself"
      : `${forms.map(formText).join(" and ")} by ${carriers.join(" and ")}`
  return `${call?.name ?? "an unknown instruction"}, ${deed.what}, told by ${by}`
}

/** A pool of which one token alone is moved, where the instruction lists no other mint. */
const poolsOf = (call: LawPoolCall | null): ReadonlyArray<LawPool> => {
  if (call?.mint === undefined) return [POOL]
  const [first, second] = POOL.amounts
  return [
    { ...POOL, amounts: [first, 0n] },
    { ...POOL, amounts: [0n, second] }
  ]
}

const tellingsOf = (laws: SolanaVenueLaws, deed: LawDeed): ReadonlyArray<Telling> => {
  const carriers = laws.callsItself
    ? ([["log"], ["call"], ["log", "call"]] as const)
    : ([["log"]] as const)
  const { forms } = deed
  const together = deed.toldTogether ? [forms, forms.toReversed()] : []
  const told = [...forms.map(form => [form]), ...together]
  return [null, ...deed.calls].flatMap(call =>
    poolsOf(call).flatMap(pool => {
      const common = { deed, pool, call }
      const alone = { ...common, forms: [], believed: undefined, carriers: [] }
      return [
        ...(call === null ? [] : [alone]),
        ...told.flatMap(some =>
          carriers.map(by => ({
            ...{ ...common, forms: some, carriers: by },
            believed: forms.find(form => some.includes(form))
          }))
        )
      ]
    })
  )
}

/** Where an instruction lists what. */
const namedOf = (call: LawPoolCall, pool: LawPool): { readonly [at: number]: string } => {
  const { mints = [], vaults = [] } = call
  const places: ReadonlyArray<readonly [number | undefined, string]> = [
    [call.pool, pool.pool],
    [mints[0], pool.mints[0]],
    [mints[1], pool.mints[1]],
    [call.mint, pool.mints[pool.amounts[0] === 0n ? 1 : 0]],
    [vaults[0], VAULT_0],
    [vaults[1], VAULT_1],
    [call.owner, pool.owner],
    [call.position, pool.position],
    [call.to, pool.to]
  ]
  return Object.fromEntries(places.filter(([at]) => at !== undefined))
}

/** What an instruction moves that tells something: fees that it pays, and shares that it burns. */
const movesOf = (call: LawPoolCall, { amounts }: LawPool): ReadonlyArray<MadeInstruction> => [
  ...(call.alone && call.vaults
    ? [VAULT_0, VAULT_1].map((vault, at) => transferOf(vault, `my ${at}`, amounts[at] ?? 0n))
    : []),
  ...(call.burns
    ? [{ program: TOKEN, accounts: [SHARES, SHARE_MINT], data: payloadOf("08", 9, [[1, 5n]]) }]
    : [])
]

/** A discriminator that no instruction has. */
const unknownTag = ({ tags }: SolanaVenueLaws): string => "f".repeat(tags === undefined ? 16 : 2)

const transactionOf = (subject: LawSubject, telling: Telling) => {
  const { laws, authority } = subject
  const { call, pool, forms, carriers } = telling
  const { program } = laws
  const payloads = forms.map(form =>
    payloadOf(tagOf(laws, "event", form.event), form.bytes, form.fields(pool))
  )
  const log = laws.tags === undefined ? dataLog : rayLog
  const tag = call === null ? unknownTag(laws) : tagOf(laws, "global", call.name)
  const accounts = call === null ? [] : accountsOf(call.accounts ?? 40, namedOf(call, pool))
  const instruction: MadeInstruction = {
    ...{ program, accounts },
    data: payloadOf(tag, call?.data?.bytes ?? 24, call?.data?.fields(pool) ?? []),
    logs: carriers.includes("log") ? payloads.map(log) : [],
    calls: [
      ...(call === null ? [] : movesOf(call, pool)),
      ...(carriers.includes("call") ? payloads : []).map(payload => ({
        ...{ program, accounts: [authority], data: eventCall(payload) }
      }))
    ]
  }
  return made({
    instructions: [instruction],
    tokens: {
      [VAULT_0]: [pool.mints[0], 1n, 2n],
      [VAULT_1]: [pool.mints[1], 1n, 2n],
      [SHARES]: [SHARE_MINT, 9n, 4n, pool.owner]
    }
  })
}

/** Whether the event that is believed or the instruction tells something of the pool. */
const isTold = ({ believed, call }: Telling, word: LawWord): boolean => {
  if (believed?.tells.includes(word)) return true
  if (word === "fee" || word === "spacing") return call?.data?.tells.includes(word) === true
  if (word === "deposit") {
    return believed === undefined && call?.data?.tells.includes(word) === true
  }
  if (call === null) return false
  switch (word) {
    case "pool":
      return true
    case "owner":
      return call.owner !== undefined || call.burns === true
    case "position":
      return call.position !== undefined
    case "to":
      return call.to !== undefined
    default:
      return false
  }
}

/** Mints as the event, else the instruction, else balances of the vaults tell them. */
const mintsOf = (telling: Telling): readonly [string | null, string | null] => {
  const { believed, call, pool } = telling
  const isListed = call?.mints !== undefined || call?.vaults !== undefined
  const moved = call?.mint === undefined ? -1 : pool.amounts[0] === 0n ? 1 : 0
  const tells = (word: LawWord) => believed?.tells.includes(word) === true
  const [first, second] = pool.mints
  return [
    tells("mints") || tells("first mint") || isListed || moved === 0 ? first : null,
    believed?.secondMint ?? (tells("mints") || isListed || moved === 1 ? second : null)
  ]
}

/** What is to be told, each by words for what is wrong of it. */
const expectedOf = (telling: Telling): ReadonlyArray<LawTold> => {
  const { deed, believed, call, pool } = telling
  const by = believed?.event ?? (call?.alone ? call.name : null)
  if (by === null) return []
  const told = <A>(word: LawWord, value: A): A | null => (isTold(telling, word) ? value : null)
  const mints = mintsOf(telling)
  const one = { event: by, pool: told("pool", pool.pool) }
  if (deed.what === "graduated") {
    return [{ ...one, kind: deed.what, mint: mints[0], to: told("to", pool.to) }]
  }
  if (deed.what === "created") {
    // of a creation whose event names no pool the instruction has to
    if (one.pool === null) return []
    const terms = { fee: told("fee", FEE_MILLIONTHS), spacing: told("spacing", pool.spacing) }
    const created = { ...one, kind: deed.what, mints, ...terms }
    if (!isTold(telling, "deposit")) return [created]
    const deposit = { mints, position: null, owner: told("owner", pool.owner), before: [0n, 0n] }
    return [created, { ...one, kind: "liquidity", ...deposit, amounts: pool.amounts }]
  }
  const who = { owner: told("owner", pool.owner), position: told("position", pool.position) }
  const common = { ...one, mints, ...who }
  if (deed.what === "paid") return [{ ...common, kind: "fees", amounts: pool.amounts }]
  const sign = deed.what === "added" ? 1n : -1n
  const amounts = pool.amounts.map(amount => sign * amount)
  const before = isTold(telling, "before") ? { before: pool.before } : {}
  const change = { ...common, kind: "liquidity", amounts, ...before }
  const paid = { ...common, kind: "fees", amounts: pool.fees }
  return isTold(telling, "fees") ? [change, paid] : [change]
}

const foundOf = ({ event, facts }: PoolEvent): LawTold => ({ event, ...facts })

/** Swaps that bring a curve's end: what of the swap itself is not made here is refused. */
const isSwap = ({ calls }: SolanaVenueLaws, call: LawPoolCall | null): boolean =>
  calls.some(({ name }) => name === call?.name)

const problemsOf = (subject: LawSubject, telling: Telling): ReadonlyArray<string> => {
  const venues = new Map([[subject.venue.program, subject.venue]])
  const { poolEvents, refusals } = decodeTransaction(transactionOf(subject, telling), venues)
  const expected = expectedOf(telling)
  const kinds = poolEvents.map(({ event, facts }) => `${facts.kind} by ${event}`)
  const found = [
    ...(isSwap(subject.laws, telling.call) ? [] : refusals).map(
      ({ reason }) => `it is refused: ${reason}`
    ),
    ...(poolEvents.length === expected.length
      ? []
      : [`it tells ${kinds.length} facts (${kinds.join(", ")}), not ${expected.length}`])
  ]
  const wrong = expected.flatMap((should, i) => {
    const one = poolEvents[i]
    return one === undefined ? [] : differences(foundOf(one), should)
  })
  return [...found, ...wrong].map(problem => `${tellingText(telling)}: ${withNames(problem)}`)
}

/**
 * Laws say whether events are told together just where events of two names tell one thing, and a
 * fee of all pools just where creations tell none.
 */
const unsaid = ({ deeds, feeBps }: SolanaVenueLaws): ReadonlyArray<string> => {
  const tellers = deeds.flatMap(({ forms, calls }) => [
    ...forms.filter(({ tells }) => tells.includes("fee")).map(({ event }) => event),
    ...calls.filter(({ data }) => data?.tells.includes("fee")).map(({ name }) => name)
  ])
  const twice =
    feeBps === undefined
      ? []
      : [...new Set(tellers)].map(one => `${one} tells a fee, and feeBps too`)
  const together = deeds.flatMap(({ what, forms, toldTogether }) => {
    const names = [...new Set(forms.map(({ event }) => event))]
    if (names.length > 1 === (toldTogether !== undefined)) return []
    return [
      `${what} by ${names.join(" and ")}: ` +
        (names.length > 1
          ? "toldTogether is missing, so true or false has to be said"
          : "toldTogether is said of events of one name")
    ]
  })
  return [...twice, ...together]
}

/** What is wrong with what is made of pools, told in every way that laws say. */
export const deedProblems = (subject: LawSubject): ReadonlyArray<string> => [
  ...unsaid(subject.laws),
  ...subject.laws.deeds
    .flatMap(deed => tellingsOf(subject.laws, deed))
    .flatMap(telling => problemsOf(subject, telling))
]
