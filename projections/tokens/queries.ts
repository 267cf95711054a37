/** Look-ups of tokens that other projections' queries share. */

import { Effect } from "effect"
import { Refused, type RowsView } from "../../engine/query.ts"
import { familyOf } from "../../src/domain/chain-family.ts"
import { idBytes } from "../../src/domain/ids.ts"
import { shownChain } from "../../src/domain/shown-chain.ts"
import { tokens } from "./output.ts"

/** The token's id, or the spec's `UNKNOWN_TOKEN`. */
export const requireToken = (context: RowsView, address: string) => {
  const token = context.output(tokens).find(idBytes(address))
  return token >= 0 ? Effect.succeed(token) : Effect.fail(unknownToken(context, address))
}

export const unknownToken = (context: Pick<RowsView, "chain">, address: string): Refused =>
  new Refused({
    status: 404,
    code: familyOf(context.chain).unknownToken,
    message: `token ${address} has no indexed trades on chain ${shownChain(context.chain)}`
  })
