/**
 * How the state of a Balancer V2 pool is read (balancer-v2-monorepo: `IVault.sol`, `BasePool`,
 * `StablePoolAmplification`, `ComposableStablePoolRates`, `WeightedPool`): what the Vault holds of
 * each token; fee, curve and scaling factors as the pool's contract tells them, rates among these;
 * and which factory made it. A rate is cached until a time, and the swap after it takes another:
 * the provider's, where that time is over. What the Vault itself answers for some swaps
 * (`queryBatchSwap`) proves the state, so whatever a pool has besides shows.
 */
import { addressOfWord } from "../../../src/domain/address.ts"
import { MAX_UINT160, MAX_UINT256 } from "../../../src/math/fixed-point.ts"
import { mulDown } from "../../../src/math/weighted/fixed18.ts"
import type { StateAnswer, StateAnswers, StateCall, StateQuestion, StateRead } from "../../venue.ts"
import {
  areTokens,
  curveCalls,
  curveMadeBy,
  curveOf,
  factoryCalls,
  listAt
} from "../balancer-read.ts"
import { curveOfFactory } from "./factories.ts"
import {
  contractOf,
  type Holding,
  plainFactor,
  type VaultPoolState,
  vaultPoolModel
} from "./pool.ts"

type Question = StateQuestion<VaultPoolState>
type Answers = ReadonlyArray<StateAnswer>

/** Tokens that a pool has at most, as the Vault's list of them is bounded. */
const MOST_TOKENS = 50

/** Places of the answers of the first round; those of tokens and factories follow. */
const [TOKENS, FEE, PAUSED, PROVIDERS, CURVE] = [0, 1, 2, 3, 4]
const FIRST_TOKEN = 6
/** Answers of each token. */
const OF_TOKEN = 2

const headOf = ({ facts }: Question, vault: string): ReadonlyArray<StateCall> => {
  const contract = contractOf(facts.pool)
  const id = BigInt(facts.pool)
  return [
    {
      to: vault,
      abi: "function getPoolTokens(bytes32) view returns (address[],uint256[],uint256)",
      args: [id]
    },
    { to: contract, abi: "function getSwapFeePercentage() view returns (uint256)" },
    { to: contract, abi: "function getPausedState() view returns (bool,uint256,uint256)" },
    { to: contract, abi: "function getRateProviders() view returns (address[])" },
    ...curveCalls(contract),
    ...facts.tokens.flatMap(token => [
      {
        to: vault,
        abi: "function getPoolTokenInfo(bytes32,address) view returns (uint256,uint256,uint256,address)",
        args: [id, BigInt(token)]
      },
      {
        to: contract,
        abi: "function getTokenRateCache(address) view returns (uint256,uint256,uint256,uint256)",
        args: [BigInt(token)]
      }
    ]),
    ...factoryCalls(curveOfFactory.keys(), contract)
  ]
}

/** What the Vault holds of each token; null where its answers contradict each other. */
const holdingsIn = ({ facts }: Question, head: Answers): ReadonlyArray<Holding> | null => {
  const { tokens } = facts
  const totals = listAt(head[TOKENS], 1)
  if (!areTokens(listAt(head[TOKENS], 0), tokens) || totals?.length !== tokens.length) return null
  const holdings = tokens.flatMap((_, i): ReadonlyArray<Holding> => {
    const [cash, managed] = head[FIRST_TOKEN + OF_TOKEN * i] ?? []
    if (cash === undefined || managed === undefined || cash + managed !== totals[i]) return []
    return [{ cash, managed }]
  })
  return holdings.length === tokens.length ? holdings : null
}

/** The contracts that tell the tokens' rates, zero of tokens without; null where the list is of
 *  others. Weighted pools name some too, which swaps do not ask. */
const providersIn = ({ facts }: Question, head: Answers): ReadonlyArray<bigint> | null => {
  const isStable = head[CURVE]?.[0] !== undefined
  const providers = isStable ? listAt(head[PROVIDERS], 0) : null
  if (providers === null) return facts.tokens.map(() => 0n)
  const isList = providers.length === facts.tokens.length
  return isList && providers.every(one => one <= MAX_UINT160) ? providers : null
}

/** A token's rate in the cache, and until when it counts; null where it has none. */
const cachedRate = (head: Answers, token: number) => {
  const [rate, , , until] = head[FIRST_TOKEN + OF_TOKEN * token + 1] ?? []
  return rate === undefined || until === undefined ? null : { rate, until }
}

/** Pairs of places of which each token but the pool's own is sold once and bought once. */
const ring = ({ facts }: Question): ReadonlyArray<readonly [number, number]> => {
  const own = contractOf(facts.pool)
  const places = facts.tokens.flatMap((token, i) => (token === own ? [] : [i]))
  return places.map((from, i) => [from, places[(i + 1) % places.length] as number] as const)
}

/** What is sold in a swap that proves the state: a thousandth of what the pool holds. */
const PART = 1000n

const partOf = ({ cash, managed }: Holding): bigint => (cash + managed) / PART

/** `queryBatchSwap` of one swap of an exact input, word by word: its head has seven of them, the
 *  list of one swap eight, that of two assets three. */
const queryOf = (
  { facts: { pool, tokens } }: Question,
  vault: string,
  [from, to]: readonly [number, number],
  amount: bigint
): StateCall => ({
  to: vault,
  abi: "function queryBatchSwap(uint8,(bytes32,uint256,uint256,uint256,bytes)[],address[],(address,bool,address,bool)) returns (int256[])",
  args: [
    ...[0n, 7n * 32n, 15n * 32n, 0n, 0n, 0n, 0n],
    ...[1n, 32n, BigInt(pool), 0n, 1n, amount, 5n * 32n, 0n],
    ...[2n, BigInt(tokens[from] as string), BigInt(tokens[to] as string)]
  ]
})

const rateCall = (provider: bigint): StateCall => ({
  to: addressOfWord(provider),
  abi: "function getRate() view returns (uint256)"
})

/** The Vault, where the pool is one that can be asked for. */
const vaultOf = ({ facts, factory }: Question): string | null =>
  /^0x[0-9a-f]{64}$/.test(facts.pool) &&
  facts.tokens.length >= 2 &&
  facts.tokens.length <= MOST_TOKENS
    ? factory
    : null

const calls = (question: Question, [head, ...later]: StateAnswers): ReadonlyArray<StateCall> => {
  const vault = vaultOf(question)
  if (vault === null || later.length > 0) return []
  if (head === undefined) return headOf(question, vault)
  const holdings = holdingsIn(question, head)
  const providers = providersIn(question, head)
  if (holdings === null || providers === null) return []
  return [
    ...ring(question).map(pair =>
      queryOf(question, vault, pair, partOf(holdings[pair[0]] as Holding))
    ),
    ...providers.filter(one => one > 0n).map(rateCall)
  ]
}

type Rates = Pick<VaultPoolState, "factors" | "factorsUntil">

/** Factors with rates, where there are any; null where a rate is missing. */
const ratesIn = (question: Question, head: Answers, told: Answers): Rates | null => {
  const { facts, time } = question
  const providers = providersIn(question, head)
  if (providers === null) return null
  if (providers.every(one => one === 0n)) return { factors: null, factorsUntil: 0 }
  let [asked, until] = [0, Number.MAX_SAFE_INTEGER]
  const factors = facts.tokens.map((_, i) => {
    const plain = plainFactor(facts.decimals[i]) ?? 0n
    if ((providers[i] as bigint) === 0n) return plain
    const current = told[asked++]?.[0] ?? 0n
    const cached = cachedRate(head, i)
    if (cached === null) return 0n
    const isCurrent = BigInt(time) <= cached.until
    if (isCurrent) until = Math.min(until, Number(cached.until))
    return mulDown(plain, isCurrent ? cached.rate : current)
  })
  return factors.every(one => one > 0n && one <= MAX_UINT256)
    ? { factors, factorsUntil: until }
    : null
}

/** Whether the Vault pays for the swaps what the state does. */
const isProven = (question: Question, state: VaultPoolState, told: Answers): boolean =>
  ring(question).every(([from, to], i) => {
    const amount = partOf(state.holdings?.[from] as Holding)
    const quote = vaultPoolModel.quote(state, question.facts, from, to, amount)
    const deltas = listAt(told[i], 0)
    return (
      quote.ok &&
      deltas?.length === 2 &&
      BigInt.asIntN(256, -(deltas[1] as bigint)) === quote.amountOut
    )
  })

const stateOf = (question: Question, [head, round]: StateAnswers): VaultPoolState | null => {
  if (vaultOf(question) === null || head === undefined || round === undefined) return null
  const { facts, known, time } = question
  const holdings = holdingsIn(question, head)
  const made = head.slice(FIRST_TOKEN + OF_TOKEN * facts.tokens.length)
  const curve = curveMadeBy(curveOfFactory.values(), made)
  const swapFee = head[FEE]?.[0]
  if (holdings === null || curve === null || swapFee === undefined) return null
  if ((head[PAUSED]?.[0] ?? 1n) !== 0n) return null
  const parameters = curveOf(curve.name, head.slice(CURVE), facts.tokens.length)
  const rates = ratesIn(question, head, round.slice(ring(question).length))
  if (parameters === null || rates === null) return null
  const state: VaultPoolState = {
    ...known,
    ...{ tokens: facts.tokens, holdings, curve, swapFee, ...parameters, ...rates },
    ...{ hasRates: rates.factors !== null, paused: false, time: Math.max(time, known.time) }
  }
  return isProven(question, state, round) ? state : null
}

export const vaultPoolStateRead: StateRead<VaultPoolState> = { calls, state: stateOf }
