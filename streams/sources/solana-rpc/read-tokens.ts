/** Tokens as their accounts describe themselves, read of a lane's endpoints. */
import { Effect } from "effect"
import type { CallOptions } from "../../endpoints/asking.ts"
import type { TokenFact } from "../../facts.ts"
import type { Account } from "../../solana/account.ts"
import { metaplexAccountOf } from "../../solana/metaplex-account.ts"
import { tokenFact } from "../../solana/token-facts.ts"
import { SourceError } from "../../source.ts"
import type { NodeError, Nodes } from "./nodes.ts"

/** Tokens of one call of `readTokens`. */
const MOST_MINTS = 1_000

/** Nodes take a hundred accounts at once: a mint, and the one with its texts. */
const AT_ONCE = 50

/** Decimals of mints as blocks tell them beside balances: they never change. */
export type KnownDecimals = ReadonlyMap<string, number>

/** What is wrong in a mint's account: other decimals than blocks tell. */
const wrongDecimals =
  (known: KnownDecimals) =>
  (mint: string, account: Account): string | null => {
    const told = known.has(mint) ? tokenFact(mint, account, null).decimals : null
    return told === null || told === known.get(mint)
      ? null
      : `mint ${mint} is told with ${told} decimals, its balances with ${known.get(mint)}`
  }

/** Facts of the mints of one request; `isAlone` where fewer cannot be asked for. */
const readSome = (
  nodes: Nodes,
  mints: ReadonlyArray<string>,
  known: KnownDecimals,
  isAlone: boolean
): Effect.Effect<ReadonlyArray<TokenFact>, NodeError> => {
  const pairs = mints.map(mint => [mint, metaplexAccountOf(mint)] as const)
  // what is no address would have the whole request refused
  const asked = pairs.flatMap(([mint, texts]) => (texts === null ? [] : [mint, texts]))
  if (asked.length === 0) return Effect.succeed(mints.map(mint => tokenFact(mint, null, null)))
  const needed = new Set(mints)
  const options: CallOptions = isAlone ? {} : { give: ["rpc"] }
  return Effect.map(nodes.accounts(asked, needed, wrongDecimals(known), options), accounts => {
    const byAddress = new Map(asked.map((one, i) => [one, accounts[i] ?? null]))
    return pairs.map(([mint, texts]) =>
      tokenFact(mint, byAddress.get(mint) ?? null, byAddress.get(texts ?? "") ?? null)
    )
  })
}

/**
 * Facts of every one of the mints, up to 1,000, in their order; of those that no node has, and of
 * texts that are no address, all is null. Some providers take fewer accounts at once than nodes do:
 * where a request is refused, half as many are asked for. Waits for as long as no endpoint answers.
 *
 * @param known a mint that is told with other decimals is asked for elsewhere, and else untold
 */
export const readTokens = (
  nodes: Nodes,
  mints: ReadonlyArray<string>,
  known: KnownDecimals
): Effect.Effect<ReadonlyArray<TokenFact>, NodeError> =>
  Effect.gen(function* () {
    if (mints.length > MOST_MINTS) {
      const message = `${mints.length} tokens were asked for, of ${MOST_MINTS} at most at once`
      return yield* new SourceError({ message, fatal: false })
    }
    const facts: Array<TokenFact> = []
    for (let most = AT_ONCE; facts.length < mints.length; ) {
      const some = mints.slice(facts.length, facts.length + most)
      const isAlone = some.length === 1
      const told = yield* readSome(nodes, some, known, isAlone).pipe(
        Effect.catchIf(
          error => error._tag === "RpcError" && error.kind === "rpc" && !isAlone,
          () => Effect.succeed(null)
        )
      )
      if (told === null) most = Math.ceil(some.length / 2)
      else facts.push(...told)
    }
    return facts
  })
