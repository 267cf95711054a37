/** Liquidity Book for the laws of venue kinds. */
import { binPrice } from "../../../src/math/bins/bin-price.ts"
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  list,
  parameter,
  plainSwap,
  poolFor,
  told
} from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  LAW_FACTORY,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"

const POOL = `0x${"aa".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const UINT24 = 2n ** 24n
const TIME = 1_700_000_000

/** X and Y of a packed word. */
const halves = (value: unknown): readonly [bigint, bigint] => {
  const packed = BigInt(value as string)
  return [packed % 2n ** 128n, packed >> 128n]
}
const packed = (x: bigint, y: bigint): string =>
  `0x${((y << 128n) | x).toString(16).padStart(64, "0")}`

const swapHead = (args: EventArgs, pool: string, to: string) =>
  ({
    ...plainSwap,
    pool,
    venueKind: "liquidity-book",
    sender: address(args["sender"]),
    recipient: address(args[to]),
    tick: Number(args["id"])
  }) as const

const swapMeaning = (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> => {
  const [inX, inY] = halves(args["amountsIn"])
  const [outX, outY] = halves(args["amountsOut"])
  const kept = halves(args["protocolFees"])
  return [
    {
      ...swapHead(args, pool, "to"),
      amount0In: inX + kept[0],
      amount0Out: outX,
      amount1In: inY + kept[1],
      amount1Out: outY
    },
    parameter(pool, "volatilityAccumulator", args["volatilityAccumulator"]),
    ...kept.flatMap((fee, index): ReadonlyArray<EventMeaning> => {
      const venueKind = "liquidity-book"
      const fact = { pool, venueKind, owner: null, token: null, index, reason: "fee" }
      return fee === 0n ? [] : [{ kind: "ReserveChanged", ...fact, amount: -fee }]
    })
  ]
}

const oldSwapMeaning = (args: EventArgs, pool: string): EventMeaning | null => {
  const [sold, bought, fees] = ["amountIn", "amountOut", "fees"].map(name =>
    amount(args[name])
  ) as [bigint, bigint, bigint]
  const limit = 2n ** 128n
  if (amount(args["id"]) >= UINT24) return null
  if (sold >= limit || bought >= limit || fees >= limit) return null
  const forY = args["swapForY"] === true
  return {
    ...swapHead(args, pool, "recipient"),
    amount0In: forY ? sold + fees : 0n,
    amount0Out: forY ? 0n : bought,
    amount1In: forY ? 0n : sold + fees,
    amount1Out: forY ? bought : 0n
  }
}

const binMeaning = (
  args: EventArgs,
  pool: string,
  to: string,
  id: unknown,
  amounts: readonly [bigint, bigint]
): EventMeaning => ({
  kind: "LiquidityChanged",
  pool,
  venueKind: "liquidity-book",
  owner: address(args[to]),
  sender: address(args["sender"]),
  tickLower: Number(id),
  tickUpper: Number(id) + 1,
  liquidity: null,
  amount0: amounts[0],
  amount1: amounts[1]
})

const binsMeaning =
  (sign: bigint) =>
  (args: EventArgs, pool: string): ReadonlyArray<EventMeaning> | null => {
    const [ids, amounts] = [list(args["ids"]), list(args["amounts"])]
    if (ids.length === 0 || ids.length !== amounts.length) return null
    if (ids.some(id => amount(id) >= UINT24)) return null
    return ids.map((id, i) => {
      const [x, y] = halves(amounts[i])
      return binMeaning(args, pool, "to", id, [sign * x, sign * y])
    })
  }

const oldBinMeaning =
  (sign: bigint) =>
  (args: EventArgs, pool: string): EventMeaning | null =>
    amount(args["id"]) >= UINT24
      ? null
      : binMeaning(args, pool, "recipient", args["id"], [
          sign * amount(args["amountX"]),
          sign * amount(args["amountY"])
        ])

const STATIC = [
  "baseFactor",
  "filterPeriod",
  "decayPeriod",
  "reductionFactor",
  "variableFeeControl",
  "protocolShare",
  "maxVolatilityAccumulator"
]

const created = (args: EventArgs, factory: string): ReadonlyArray<EventMeaning> | null => {
  if (amount(args["binStep"]) >= 2n ** 16n) return null
  const pool = address(args["LBPair"])
  return [
    createdPool("liquidity-book", factory, pool, [args["tokenX"], args["tokenY"]]),
    parameter(pool, "binStep", args["binStep"])
  ]
}

const meanings: VenueLaws["meanings"] = {
  "event Swap(address indexed sender, address indexed to, uint24 id, bytes32 amountsIn, bytes32 amountsOut, uint24 volatilityAccumulator, bytes32 totalFees, bytes32 protocolFees)":
    swapMeaning,
  "event DepositedToBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)":
    binsMeaning(1n),
  "event WithdrawnFromBins(address indexed sender, address indexed to, uint256[] ids, bytes32[] amounts)":
    binsMeaning(-1n),
  "event CompositionFees(address indexed sender, uint24 id, bytes32 totalFees, bytes32 protocolFees)":
    (args, pool) => [
      parameter(pool, "compositionBin", args["id"]),
      ...halves(args["totalFees"]).flatMap((fee, index) =>
        fee === 0n ? [] : [parameter(pool, "compositionFee", fee, index)]
      )
    ],
  "event StaticFeeParametersSet(address indexed sender, uint16 baseFactor, uint16 filterPeriod, uint16 decayPeriod, uint16 reductionFactor, uint24 variableFeeControl, uint16 protocolShare, uint24 maxVolatilityAccumulator)":
    (args, pool) => STATIC.map(name => parameter(pool, name, args[name])),
  "event ForcedDecay(address indexed sender, uint24 idReference, uint24 volatilityReference)": (
    args,
    pool
  ) => parameter(pool, "forcedDecay", args["idReference"]),
  "event HooksParametersSet(address indexed sender, bytes32 hooksParameters)": (args, pool) =>
    parameter(pool, "hooks", args["hooksParameters"]),
  "event Swap(address indexed sender, address indexed recipient, uint256 indexed id, bool swapForY, uint256 amountIn, uint256 amountOut, uint256 volatilityAccumulated, uint256 fees)":
    oldSwapMeaning,
  "event DepositedToBin(address indexed sender, address indexed recipient, uint256 indexed id, uint256 amountX, uint256 amountY)":
    oldBinMeaning(1n),
  "event WithdrawnFromBin(address indexed sender, address indexed recipient, uint256 indexed id, uint256 amountX, uint256 amountY)":
    oldBinMeaning(-1n),
  "event LBPairCreated(address indexed tokenX, address indexed tokenY, uint256 indexed binStep, address LBPair, uint256 pid)":
    created
}

const at = (meaning: EventMeaning): Event =>
  ({ ...eventOf(meaning), block: { number: 1, time: TIME, hash: null, parentHash: null } }) as Event

/** A pair with some bins on both sides of the active one, near the price of one. */
const pool = (chance: Chance): LawPool => {
  const active = 2 ** 23 + chance.integer(-300, 300)
  const ids = new Set(Array.from({ length: chance.integer(0, 8) }, () => chance.integer(-9, 9)))
  const some = () => chance.bits(chance.integer(8, 70)) + 1n
  const deposits = [...ids, 0].map(by => {
    const [x, y] = [by >= 0 ? some() : 0n, by <= 0 ? some() : 0n]
    return at(binMeaning({ sender: POOL, to: POOL }, POOL, "to", active + by, [x, y]))
  })
  const fees = {
    baseFactor: chance.integer(0, 20_000),
    filterPeriod: chance.integer(1, 300),
    decayPeriod: 600,
    reductionFactor: 5000,
    variableFeeControl: chance.integer(0, 40_000),
    protocolShare: chance.integer(0, 2500),
    maxVolatilityAccumulator: chance.integer(0, 350_000)
  }
  const creation = created(
    { tokenX: TOKENS[0], tokenY: TOKENS[1], LBPair: POOL, binStep: BigInt(chance.integer(1, 25)) },
    POOL
  )
  return {
    facts: { pool: POOL, tokens: TOKENS, fee: null, tickSpacing: null, decimals: [18, 18] },
    history: [
      ...Object.entries(fees).map(([name, value]) => at(parameter(POOL, name, value))),
      ...(creation ?? []).map(at),
      ...deposits
    ]
  }
}

/** Bins by id as the deposits made them. */
const binsOf = ({ history }: LawPool): ReadonlyMap<number, readonly [bigint, bigint]> => {
  const bins = new Map<number, readonly [bigint, bigint]>()
  for (const event of history) {
    if (event.kind !== "LiquidityChanged") continue
    const [x, y] = bins.get(event.tickLower as number) ?? [0n, 0n]
    bins.set(event.tickLower as number, [x + event.amount0, y + event.amount1])
  }
  return bins
}

const holdings = (pool: LawPool): readonly [bigint, bigint] =>
  [...binsOf(pool).values()].reduce<readonly [bigint, bigint]>(
    ([x, y], bin) => [x + bin[0], y + bin[1]],
    [0n, 0n]
  )

const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b

/** One log a bin, from the active one on, until the input is used up. */
const swapEvents = (one: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const told = (name: string): bigint =>
    one.history.flatMap(event =>
      event.kind === "PoolParameterSet" && event.name === name ? [event.value] : []
    )[0] as bigint
  const bins = binsOf(one)
  const forY = swap.tokenIn === 0
  const active = [...bins].find(([, [x, y]]) => x > 0n && y > 0n)?.[0] as number
  const ids = [...bins.keys()].filter(id => (forY ? id <= active : id >= active))
  let left = swap.amountIn
  return ids
    .sort((a, b) => Math.abs(a - active) - Math.abs(b - active))
    .flatMap(id => {
      if (left === 0n) return []
      const reserve = (bins.get(id) as readonly [bigint, bigint])[forY ? 1 : 0]
      const price = binPrice(id, Number(told("binStep"))) as bigint
      const steps = BigInt(Math.abs(id - active)) * 10_000n
      const limit = told("maxVolatilityAccumulator")
      const accumulator = steps > limit ? limit : steps
      const moves = (accumulator * told("binStep")) ** 2n * told("variableFeeControl")
      const fee = told("baseFactor") * told("binStep") * 10n ** 10n + ceil(moves, 100n)
      const whole = forY ? ceil(reserve << 128n, price) : ceil(reserve * price, 1n << 128n)
      const wholeFee = ceil(whole * fee, 10n ** 18n - fee)
      const isWhole = left >= whole + wholeFee
      const paid = isWhole ? wholeFee : ceil(left * fee, 10n ** 18n)
      const taken = isWhole ? whole + wholeFee : left
      const bought = forY ? ((taken - paid) * price) >> 128n : ((taken - paid) << 128n) / price
      const out = isWhole || bought > reserve ? reserve : bought
      const kept = (paid * told("protocolShare")) / 10_000n
      left -= taken
      const side = (value: bigint, isX: boolean) => (isX ? packed(value, 0n) : packed(0n, value))
      return swapMeaning(
        {
          sender: POOL,
          to: POOL,
          id,
          amountsIn: side(taken - kept, forY),
          amountsOut: side(out, !forY),
          volatilityAccumulator: Number(accumulator),
          protocolFees: side(kept, forY)
        },
        POOL
      ).map(at)
    })
}

/** Each bin rounds for itself by two units at most, and a pool here has no more than nine. */
const ROUNDING = 2n * 9n

export const laws: VenueLaws = {
  kind: "liquidity-book",
  meanings,
  feesBeside: {
    totalFees: "the swap's amounts have it in them",
    protocolFees: "leaves what compositionFee tells"
  },
  factAnswers: factAnswers(
    {
      "getTokenX()": ({ facts }) => [facts.tokens[0] as string],
      "getTokenY()": ({ facts }) => [facts.tokens[1] as string],
      "getFactory()": () => [LAW_FACTORY],
      "getBinStep()": pool => [told(pool, "binStep")]
    },
    {
      "getLBPairInformation(address,address,uint256)": (pool, args) => {
        const step = told(pool, "binStep")
        return [step, ...(poolFor(() => [step])(pool, args) ?? []), 0, 0]
      }
    }
  ),
  pool,
  holdings,
  holdingBits: 128,
  rounding: ROUNDING,
  swapEvents
}
