/** DODO for the laws of venue kinds. */
import type { Event } from "../../event.ts"
import {
  address,
  amount,
  createdPool,
  factAnswers,
  parameter,
  plainSwap,
  told
} from "../../law-meanings.ts"
import {
  type Chance,
  type EventArgs,
  type EventMeaning,
  eventOf,
  type LawPool,
  type LawSwap,
  type VenueLaws
} from "../../venue-laws.ts"

const POOL = `0x${"d0".repeat(20)}`
const TOKENS = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`] as const
const E18 = 10n ** 18n

const emptySwap = {
  ...plainSwap,
  venueKind: "dodo"
} as const

const swapMeaning = (args: EventArgs, pool: string): EventMeaning => ({
  ...emptySwap,
  pool,
  sender: address(args["trader"]),
  recipient: address(args["receiver"]),
  amount0In: amount(args["fromAmount"]),
  amount0Out: 0n,
  amount1In: 0n,
  amount1Out: amount(args["toAmount"]),
  token0: address(args["fromToken"]),
  token1: address(args["toToken"])
})

const created = (pool: unknown, args: EventArgs, factory: string): EventMeaning =>
  createdPool("dodo", factory, pool, [args["baseToken"], args["quoteToken"]])

const reserve = (
  args: EventArgs,
  pool: string,
  owner: string | null,
  sign: bigint,
  reason: string
): EventMeaning => ({
  kind: "ReserveChanged",
  pool,
  venueKind: "dodo",
  owner: owner === null ? null : address(args[owner]),
  token: null,
  index: args["isBaseToken"] === true ? 0 : 1,
  amount: sign * amount(args["amount"]),
  reason
})

const trade = (args: EventArgs, pool: string, trader: string) => ({
  ...emptySwap,
  pool,
  sender: address(args[trader]),
  recipient: address(args[trader]),
  token0: null,
  token1: null
})

const v1Meanings: VenueLaws["meanings"] = {
  "event SellBaseToken(address indexed seller, uint256 payBase, uint256 receiveQuote)": (
    args,
    pool
  ) => ({
    ...trade(args, pool, "seller"),
    amount0In: amount(args["payBase"]),
    amount0Out: 0n,
    amount1In: 0n,
    amount1Out: amount(args["receiveQuote"])
  }),
  "event BuyBaseToken(address indexed buyer, uint256 receiveBase, uint256 payQuote)": (
    args,
    pool
  ) => ({
    ...trade(args, pool, "buyer"),
    amount0In: 0n,
    amount0Out: amount(args["receiveBase"]),
    amount1In: amount(args["payQuote"]),
    amount1Out: 0n
  }),
  "event Deposit(address indexed payer, address indexed receiver, bool isBaseToken, uint256 amount, uint256 lpTokenAmount)":
    (args, pool) => reserve(args, pool, "receiver", 1n, "liquidity"),
  "event Withdraw(address indexed payer, address indexed receiver, bool isBaseToken, uint256 amount, uint256 lpTokenAmount)":
    (args, pool) => reserve(args, pool, "receiver", -1n, "liquidity"),
  "event ChargeMaintainerFee(address indexed maintainer, bool isBaseToken, uint256 amount)": (
    args,
    pool
  ) => reserve(args, pool, "maintainer", -1n, "fee"),
  "event Donate(uint256 amount, bool isBaseToken)": (args, pool) =>
    reserve(args, pool, null, 1n, "donation"),
  "event DODOBirth(address newBorn, address baseToken, address quoteToken)": (args, factory) =>
    created(args["newBorn"], args, factory)
}

const meanings: VenueLaws["meanings"] = {
  "event DODOSwap(address fromToken, address toToken, uint256 fromAmount, uint256 toAmount, address trader, address receiver)":
    swapMeaning,
  "event RChange(uint8 newRState)": (args, pool) => parameter(pool, "rState", args["newRState"]),
  "event BuyShares(address to, uint256 increaseShares, uint256 totalShares)": (args, pool) => [
    parameter(pool, "shareholder", args["to"]),
    parameter(pool, "totalShares", args["totalShares"])
  ],
  "event SellShares(address payer, address to, uint256 decreaseShares, uint256 totalShares)": (
    args,
    pool
  ) => [
    parameter(pool, "shareholder", args["payer"]),
    parameter(pool, "totalShares", args["totalShares"])
  ],
  "event LpFeeRateChange(uint256 newLpFeeRate)": (args, pool) =>
    parameter(pool, "lpFee", args["newLpFeeRate"]),
  "event MtFeeRateChange(uint256 newMtFee)": (args, pool) =>
    parameter(pool, "mtFee", args["newMtFee"]),
  "event IChange(uint256 newI)": (args, pool) => parameter(pool, "i", args["newI"]),
  "event KChange(uint256 newK)": (args, pool) => parameter(pool, "k", args["newK"]),
  "event NewDVM(address baseToken, address quoteToken, address creator, address dvm)": (
    args,
    factory
  ) => created(args["dvm"], args, factory),
  "event NewDPP(address baseToken, address quoteToken, address creator, address dpp)": (
    args,
    factory
  ) => created(args["dpp"], args, factory),
  "event NewDSP(address baseToken, address quoteToken, address creator, address DSP)": (
    args,
    factory
  ) => created(args["DSP"], args, factory),
  "event NewGSP(address baseToken, address quoteToken, address creator, address GSP)": (
    args,
    factory
  ) => created(args["GSP"], args, factory),
  ...v1Meanings
}

/**
 * A market at or off its targets. The contract solves for a target to 18 digits, over 2k: balances
 * are small enough for that not to be seen. In larger pools dust can earn its rounding.
 */
const pool = (chance: Chance): LawPool => {
  const [size, shift] = [chance.integer(30, 44), chance.integer(-4, 4)]
  const baseTarget = (1n << BigInt(size)) + chance.bits(size)
  const i = shift < 0 ? E18 >> BigInt(-shift) : E18 << BigInt(shift)
  const quoteTarget = (baseTarget * i) / E18
  const regime = chance.integer(0, 2)
  const part = (target: bigint) => (target * BigInt(chance.integer(10, 99))) / 100n
  const [base, quote] = [part(baseTarget), part(quoteTarget)]
  const told = {
    lpFee: (E18 * BigInt(chance.integer(1, 50))) / 10_000n,
    mtFee: (E18 * BigInt(chance.integer(0, 20))) / 10_000n,
    i,
    k: [0n, E18, E18 / 10n, E18 / 1000n, E18 / 2n][chance.integer(0, 4)] as bigint,
    rState: BigInt(regime),
    baseTarget,
    quoteTarget,
    baseReserve: regime === 1 ? base : regime === 2 ? baseTarget + base : baseTarget,
    quoteReserve: regime === 2 ? quote : regime === 1 ? quoteTarget + quote : quoteTarget
  }
  return {
    facts: { pool: POOL, tokens: TOKENS, fee: null, tickSpacing: null, decimals: [18, 18] },
    history: Object.entries(told).map(([name, value]) => eventOf(parameter(POOL, name, value)))
  }
}

const holdings = ({ history }: LawPool): ReadonlyArray<bigint> =>
  ["baseReserve", "quoteReserve"].map(name => {
    const told = history.find(event => event.kind === "PoolParameterSet" && event.name === name)
    return told?.kind === "PoolParameterSet" ? told.value : 0n
  })

const swapEvents = (_pool: LawPool, swap: LawSwap): ReadonlyArray<Event> => {
  const args = {
    fromToken: TOKENS[swap.tokenIn] as string,
    toToken: TOKENS[swap.tokenOut] as string,
    fromAmount: swap.amountIn,
    toAmount: swap.amountOut,
    trader: POOL,
    receiver: POOL
  }
  return [eventOf(swapMeaning(args, POOL))]
}

export const laws: VenueLaws = {
  kind: "dodo",
  meanings,
  factAnswers: factAnswers({
    "_BASE_TOKEN_()": ({ facts }) => [facts.tokens[0] as string],
    "_QUOTE_TOKEN_()": ({ facts }) => [facts.tokens[1] as string],
    "_LP_FEE_RATE_()": pool => [told(pool, "lpFee")],
    "_I_()": pool => [told(pool, "i")],
    "_K_()": pool => [told(pool, "k")]
  }),
  pool,
  holdings,
  holdingBits: 112,
  // A unit lost in the cheaper token is up to 16 of the other one, several times.
  rounding: 100n,
  dust: 100n,
  swapEvents
}
