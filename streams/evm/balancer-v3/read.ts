/**
 * How the state of a Balancer V3 pool is read (balancer-v3-monorepo: `IVaultExtension.sol`,
 * `VaultTypes.sol`, `StablePool`, `WeightedPool`): balances, fees and hooks as the Vault tells
 * them, the curve as the pool's contract does, and which factory made it. Nothing is told of pools
 * whose tokens have rates, since these move from block to block and no event says so, nor of pools
 * whose hooks change swaps.
 */
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
import { type RegisteredPoolState, SWAP_FLAGS } from "./pool.ts"

type Question = StateQuestion<RegisteredPoolState>
type Answers = ReadonlyArray<StateAnswer>

const headOf = (pool: string, vault: string): ReadonlyArray<StateCall> => {
  const ofPool = (abi: string): StateCall => ({ to: vault, abi, args: [BigInt(pool)] })
  return [
    ofPool(
      "function getPoolTokenInfo(address) view returns (address[], (uint8,address,bool)[], uint256[], uint256[])"
    ),
    ofPool(
      "function getPoolConfig(address) view returns (bool, bool, bool, bool, uint256, uint256)"
    ),
    ofPool("function getHooksConfig(address) view returns (bool, bool, bool, bool)"),
    ...curveCalls(pool),
    ...factoryCalls(curveOfFactory.keys(), pool)
  ]
}

/** Places of the answers. */
const [INFO, CONFIG, HOOKS, CURVE, FACTORIES] = [0, 1, 2, 3, 5]

/** Words of a token's information: its type, its rate provider, whether it pays yield fees. */
const INFO_WORDS = 3

/** Raw balances of tokens without rates; null where one has a rate, or the answer is another. */
const balancesIn = ({ facts }: Question, head: Answers): ReadonlyArray<bigint> | null => {
  const { tokens } = facts
  const [info, balances] = [listAt(head[INFO], 1, INFO_WORDS), listAt(head[INFO], 2)]
  if (!areTokens(listAt(head[INFO], 0), tokens) || balances?.length !== tokens.length) return null
  const hasRates = info === null || info.some(word => word !== 0n)
  return hasRates || info.length !== tokens.length * INFO_WORDS ? null : balances
}

/** Words of `PoolConfig`, whose first struct has four. */
const CONFIG_WORDS = 13
const HOOKS_WORDS = 11

type Config = Pick<RegisteredPoolState, "swapFee" | "aggregateFee" | "recoveryMode">

/** Null of a pool that is not open, or whose swaps hooks change. */
const configIn = (head: Answers): Config | null => {
  const [config, hooks] = [head[CONFIG], head[HOOKS]]
  if (config?.length !== CONFIG_WORDS || hooks?.length !== HOOKS_WORDS) return null
  const [swapFee, aggregateFee] = config.slice(4)
  const [isRegistered, isInitialized, isPaused, isRecovering] = config.slice(9)
  if (swapFee === undefined || aggregateFee === undefined) return null
  if (isRegistered !== 1n || isInitialized !== 1n || isPaused !== 0n) return null
  const flags = hooks
    .slice(0, -1)
    .reduce((sum, flag, bit) => sum | ((flag === 0n ? 0n : 1n) << BigInt(bit)), 0n)
  return (flags & SWAP_FLAGS) === 0n
    ? { swapFee, aggregateFee, recoveryMode: isRecovering === 1n }
    : null
}

const calls = ({ facts, factory }: Question, answers: StateAnswers): ReadonlyArray<StateCall> =>
  answers.length > 0 || factory === null || facts.tokens.length < 2
    ? []
    : headOf(facts.pool, factory)

const stateOf = (question: Question, [head]: StateAnswers): RegisteredPoolState | null => {
  if (head === undefined) return null
  const { facts, known, time } = question
  const [balances, config] = [balancesIn(question, head), configIn(head)]
  const curve = curveMadeBy(curveOfFactory.values(), head.slice(FACTORIES))
  if (balances === null || config === null || curve === null) return null
  const parameters = curveOf(curve, head.slice(CURVE), facts.tokens.length)
  return (
    parameters && {
      ...known,
      ...{ tokens: facts.tokens, balances, curve, ...config, ...parameters },
      ...{ isOpaque: false, paused: false, time: Math.max(time, known.time) }
    }
  )
}

export const registeredPoolStateRead: StateRead<RegisteredPoolState> = { calls, state: stateOf }
