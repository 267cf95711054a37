/** A swap of a Meteora DLMM pool as tests make it. */
import { addressOf, eventCall, type MadeInstruction, payloadOf } from "../made-transaction.ts"
import { meteoraDlmm } from "./venue.ts"

const MADE_POOL = addressOf(1)

/** A swap of `amountIn` into X against `amountOut` of Y, with what else its event says. */
export const madeSwap = (amountIn: bigint, amountOut: bigint, hostFee = 0n): MadeInstruction => ({
  program: meteoraDlmm.program,
  accounts: [MADE_POOL, "extension", "X", "Y", "my X", "my Y", "mint X", "mint Y", "8", "9", "me"],
  data: payloadOf("f8c69e91e17587c8", 24, []),
  calls: [
    {
      program: meteoraDlmm.program,
      accounts: [meteoraDlmm.eventAuthority ?? ""],
      data: eventCall(
        payloadOf("516ce3becdd00ac4", 137, [
          [8, MADE_POOL],
          [80, amountIn],
          [88, amountOut],
          [96, 1, 1],
          [129, hostFee]
        ])
      )
    }
  ]
})
