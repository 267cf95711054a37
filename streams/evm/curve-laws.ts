/** What Curve's kinds tell the laws alike: events of coins by place, and what a pool holds. */
import { address, amount, type LawAnswer, plainSwap } from "../law-meanings.ts"
import type { EventDecoder } from "../venue.ts"
import {
  type EventArgs,
  type EventMeaning,
  LAW_FACTORY,
  type LawPool,
  type VenueLaws
} from "../venue-laws.ts"

type Meaning = VenueLaws["meanings"][string]

const MAX_COINS = 8n

export const isPlace = (value: bigint): boolean => value >= 0n && value < MAX_COINS

/** A swap; null where its coins have no places, or are one. */
export const swapMeaning = (
  args: EventArgs,
  pool: string,
  venueKind: string,
  isUnderlying = false
): EventMeaning | null => {
  const [sold, bought] = [amount(args["sold_id"]), amount(args["bought_id"])]
  if (!isPlace(sold) || !isPlace(bought) || sold === bought) return null
  const [soldIn, boughtOut] = [amount(args["tokens_sold"]), amount(args["tokens_bought"])]
  const first = sold < bought
  const index = (place: bigint): number => (isUnderlying ? -1 - Number(place) : Number(place))
  return {
    ...plainSwap,
    pool,
    venueKind,
    sender: address(args["buyer"]),
    recipient: null,
    amount0In: first ? soldIn : 0n,
    amount0Out: first ? 0n : boughtOut,
    amount1In: first ? 0n : soldIn,
    amount1Out: first ? boughtOut : 0n,
    index0: index(first ? sold : bought),
    index1: index(first ? bought : sold)
  }
}

/** A coin that came or went. */
export const reserve = (
  venueKind: string,
  pool: string,
  owner: unknown,
  index: number | null,
  by: bigint,
  reason: string
): EventMeaning => ({
  kind: "ReserveChanged",
  pool,
  venueKind,
  owner: address(owner),
  token: null,
  index,
  amount: by,
  reason
})

/** Meanings by the event's name, which tells what its variants mean. */
export const meaningsOf = (
  events: ReadonlyArray<EventDecoder>,
  byName: { readonly [name: string]: Meaning }
): VenueLaws["meanings"] =>
  Object.fromEntries(
    events.map(({ abi }) => {
      const name = /^event (\w+)\(/.exec(abi)?.[1] ?? ""
      return [abi, byName[name] as Meaning]
    })
  )

/** The coins of the first deposit. */
export const holdings = ({ history }: LawPool): ReadonlyArray<bigint> =>
  history.flatMap(event => (event.kind === "ReserveChanged" ? [event.amount] : []))

const coin: LawAnswer = ({ facts }, [place]) => {
  const token = facts.tokens[Number(place)]
  return token === undefined ? null : [token]
}

/** What pools of Curve answer of their coins and their factory. */
export const coinAnswers: { readonly [signature: string]: LawAnswer } = {
  "coins(uint256)": coin,
  "coins(int128)": coin,
  "factory()": () => [LAW_FACTORY]
}

/** A factory of Curve tells the coins of its own pools, and no coins of others. */
export const factoryOfCoins: { readonly [signature: string]: LawAnswer } = {
  "get_coins(address)": ({ facts: { pool, tokens } }, [asked]) => [
    ...[32, tokens.length],
    ...tokens.map(token => (asked === BigInt(pool) ? token : 0))
  ]
}
