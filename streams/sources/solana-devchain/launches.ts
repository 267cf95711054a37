/** Tokens that the simulated chain's wallets launch, and curves that graduate. */
import { Effect } from "effect"
import { TOKEN_2022, tokenAccountOf, WSOL } from "./addresses.ts"
import type { User } from "./genesis.ts"
import { computeLimit, createToken, migrateCurve } from "./launch-instructions.ts"
import { launchAddresses } from "./market-addresses.ts"
import { accountFor, type Moment, type Plan, type Planned } from "./moment.ts"
import { curveSwap } from "./swap-instructions.ts"

const LAMPORTS = 1_000_000_000
/** A graduation was seen to use 150,000; how many it takes to find its addresses differs. */
const GRADUATION_UNITS = 400_000

/** Launches the next token: its creator buys the first of it in the same transaction. */
export const launch: Plan = ({ bank, market }, _, random) =>
  Effect.gen(function* () {
    const next = market.nextLaunch
    if (next === undefined) return null
    const { creator: user, curve, mint, name, symbol } = next
    const { signer } = user
    const addresses = yield* launchAddresses(mint.address)
    const page = `https://tokens.example/${mint.address}.json`
    const { account, opening } = yield* accountFor(bank, user, curve)
    const amount = BigInt(random.between(LAMPORTS / 20, LAMPORTS))
    const buy = {
      curve,
      user: signer,
      account,
      call: "buy_exact_sol_in",
      amount,
      limit: 1n
    } as const
    return {
      user,
      instructions: [
        createToken({ ...addresses, name, symbol, page, user: signer, mint, curve }),
        ...opening,
        curveSwap(buy)
      ]
    }
  })

/** Graduates each curve that is complete; any wallet may. */
export const graduate = ({ market, genesis }: Moment, user: User | undefined) =>
  Effect.gen(function* () {
    const planned: Array<Planned> = []
    if (user === undefined) return planned
    for (const { curve, pool } of market.at("sold")) {
      const held = [
        yield* tokenAccountOf(pool.authority, curve.mint, curve.program),
        yield* tokenAccountOf(pool.authority, WSOL),
        yield* tokenAccountOf(pool.authority, pool.lpMint, TOKEN_2022)
      ] as const
      const { withdrawer } = genesis
      const end = migrateCurve({ curve, pool, user: user.signer, withdrawer, held })
      planned.push({ user, instructions: [computeLimit(GRADUATION_UNITS), end] })
    }
    return planned
  })
