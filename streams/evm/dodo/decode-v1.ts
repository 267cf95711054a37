/**
 * Events of DODO V1 pools and their factory (DODOEX/dodo-smart-contract: Trader, LiquidityProvider,
 * Settlement, DODOZoo). Swaps tell base and quote, token 0 and token 1 of the pool; its price comes
 * from an oracle, so these pools are never quoted.
 */
import type { BatchBuilder } from "../../batch/builder.ts"
import { NONE } from "../../batch/id-table.ts"
import type { EventDecoder } from "../../venue.ts"
import { checkIndexed } from "../indexed-addresses.ts"
import { pushPoolCreated } from "../pool-created.ts"
import { isAddressWord, isBoolWord, type RawLog, word } from "../raw-log.ts"
import { rejection } from "../rejection.ts"
import { pushNoPrice, pushOneWay, pushPoolTokens, pushSwapHead } from "../swap-columns.ts"

const KIND = "dodo"

const trade =
  (side: "sell" | "buy") =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics, data } = log
    const problem = checkIndexed(log, 1, 2)
    if (problem !== null) return problem
    const c = out.columns.SwapExecuted
    pushSwapHead(log, out, KIND, topics, word(1), word(1))
    if (side === "sell") pushOneWay(c, true, data, word(0), word(1))
    else pushOneWay(c, false, data, word(1), word(0))
    pushNoPrice(c)
    pushPoolTokens(c)
    out.end("SwapExecuted", log.logIndex)
    return null
  }

/** One token of the pool, told by whether it is the base, came in or went out. */
const pushReserve = (
  log: RawLog,
  out: BatchBuilder,
  owner: number,
  flag: number,
  reason: string,
  sign: 1 | -1
): void => {
  const { data } = log
  const c = out.columns.ReserveChanged
  c.pool.push(out.ids.account(log.account))
  c.venueKind.push(out.sym(KIND))
  c.owner.push(owner)
  c.token.push(NONE)
  c.index.push(data[word(flag) + 31] === 1 ? 0 : 1)
  if (sign === 1) c.amount.pushUnsigned(data, word(1 - flag))
  else c.amount.pushNegated(data, word(1 - flag))
  c.reason.push(out.sym(reason))
  out.end("ReserveChanged", log.logIndex)
}

/** Payer, receiver, base or quote, amount, LP tokens. */
const liquidity =
  (sign: 1 | -1) =>
  (log: RawLog, out: BatchBuilder): string | null => {
    const { topics } = log
    const problem = checkIndexed(log, 2, 3)
    if (problem !== null) return problem
    if (!isBoolWord(log.data, word(0))) return rejection.bool
    const owner = out.ids.addressWord(topics, word(2))
    pushReserve(log, out, owner, 0, "liquidity", sign)
    return null
  }

const maintainerFee = (log: RawLog, out: BatchBuilder): string | null => {
  const { topics } = log
  const problem = checkIndexed(log, 1, 2)
  if (problem !== null) return problem
  if (!isBoolWord(log.data, word(0))) return rejection.bool
  pushReserve(log, out, out.ids.addressWord(topics, word(1)), 0, "fee", -1)
  return null
}

const donate = (log: RawLog, out: BatchBuilder): string | null => {
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(2)) return rejection.dataLength
  if (!isBoolWord(log.data, word(1))) return rejection.bool
  pushReserve(log, out, NONE, 1, "donation", 1)
  return null
}

const born = (log: RawLog, out: BatchBuilder): string | null => {
  const { data } = log
  if (log.topicCount !== 1) return rejection.topicCount
  if (log.dataLength !== word(3)) return rejection.dataLength
  for (let i = 0; i < 3; i++) if (!isAddressWord(data, word(i))) return rejection.address
  pushPoolCreated(log, out, {
    kind: KIND,
    pool: out.ids.addressWord(data, word(0)),
    bytes: data,
    token0: word(1)
  })
  return null
}

/** Every event of V1 that becomes a fact. */
export const dodoV1Events: ReadonlyArray<EventDecoder> = [
  {
    abi: "event SellBaseToken(address indexed seller, uint256 payBase, uint256 receiveQuote)",
    topic0: "0xd8648b6ac54162763c86fd54bf2005af8ecd2f9cb273a5775921fd7f91e17b2d",
    decode: trade("sell"),
    emitterIsPool: true
  },
  {
    abi: "event BuyBaseToken(address indexed buyer, uint256 receiveBase, uint256 payQuote)",
    topic0: "0xe93ad76094f247c0dafc1c61adc2187de1ac2738f7a3b49cb20b2263420251a3",
    decode: trade("buy"),
    emitterIsPool: true
  },
  {
    abi: "event Deposit(address indexed payer, address indexed receiver, bool isBaseToken, uint256 amount, uint256 lpTokenAmount)",
    topic0: "0x18081cde2fa64894914e1080b98cca17bb6d1acf633e57f6e26ebdb945ad830b",
    decode: liquidity(1),
    emitterIsPool: true
  },
  {
    abi: "event Withdraw(address indexed payer, address indexed receiver, bool isBaseToken, uint256 amount, uint256 lpTokenAmount)",
    topic0: "0xe89c586bd81ee35a18f7eac22a732b56e589a2821497cce12a0208828540a36d",
    decode: liquidity(-1),
    emitterIsPool: true
  },
  {
    abi: "event ChargeMaintainerFee(address indexed maintainer, bool isBaseToken, uint256 amount)",
    topic0: "0xe4fed5362e2669c70e5da5a18942d1e617d8917f6adc0164d9668bd3a6d0cebe",
    decode: maintainerFee,
    emitterIsPool: true
  },
  {
    abi: "event Donate(uint256 amount, bool isBaseToken)",
    topic0: "0xa259c93818139b6bc90fb80e8feb75122b42edaae49560f81392cf4e1946726e",
    decode: donate,
    emitterIsPool: true
  },
  {
    abi: "event DODOBirth(address newBorn, address baseToken, address quoteToken)",
    topic0: "0x5c428a2e12ecaa744a080b25b4cda8b86359c82d726575d7d747e07708071f93",
    decode: born,
    emitterIsPool: false
  }
]
