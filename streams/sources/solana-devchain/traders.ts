/**
 * What the simulated chain's wallets do in a slot: a function of seed, age, time and the bank. In
 * pools they lean to a fair price that moves; on curves they buy, and sell parts of it. Now and
 * then one launches a token, opens a pool, or moves liquidity; complete curves graduate at once.
 */
import { Effect } from "effect"
import { seededRandom } from "../devchain/random.ts"
import type { User } from "./genesis.ts"
import { graduate, launch } from "./launches.ts"
import { moveLiquidity, openPool } from "./liquidity.ts"
import type { Moment, Plan, Planned } from "./moment.ts"
import { swapInPool, swapToken } from "./swaps.ts"

/** Of a slot: as many as draws in a row succeed, up to some. */
const CHANCE_OF_ANOTHER = 0.55
const MOST_ACTIONS = 8

/** What wallets do, and how often of a hundred times. */
const ACTIONS: ReadonlyArray<readonly [weight: number, plan: Plan]> = [
  [56, swapInPool],
  [36, swapToken],
  [6, moveLiquidity],
  [1, openPool],
  [1, launch]
]

/** What a slot holds once: another would launch the same token, or open the same pool. */
const ONCE: ReadonlySet<Plan> = new Set([openPool, launch])

/** Returns what happens in a slot, each by another wallet. */
export const planSlot = (moment: Moment) =>
  Effect.gen(function* () {
    const random = seededRandom(moment.genesis.seed, "slot", moment.age)
    const users = [...moment.genesis.users]
    const takeUser = (): User | undefined => users.splice(random.between(0, users.length - 1), 1)[0]
    const chosen = new Set<Plan>()
    const planned: Array<Planned> = [...(yield* graduate(moment, takeUser()))]
    while (planned.length < MOST_ACTIONS && random.chance(CHANCE_OF_ANOTHER)) {
      const user = takeUser()
      if (user === undefined) break
      const [, plan] = random.weighted(ACTIONS, ([weight]) => weight)
      if (ONCE.has(plan) && chosen.has(plan)) continue
      chosen.add(plan)
      const one = yield* plan(moment, user, random)
      if (one !== null) planned.push(one)
    }
    return planned
  })
