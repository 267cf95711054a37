/** Finds the lane of a chain with routes of its own; refuses (503) where it is off. */
import { Effect } from "effect"
import { type Lane, type Lanes, laneIn } from "../../../engine/lane/lanes.ts"
import { arc } from "../../../src/domain/chains/arc.ts"
import { rh } from "../../../src/domain/chains/rh.ts"
import { solana } from "../../../src/domain/chains/solana.ts"
import { rpcSettingOf, shownChain } from "../../../src/domain/shown-chain.ts"
import { Refusal } from "../../errors.ts"
import { withheldOr } from "../withheld-chain.ts"

/** Chains with routes of their own, whose absence is no error of whoever asks. */
const OWN = { arc, rh, solana } as const

/** What turns Solana on where chains are simulated: nothing but a setting leaves it out there. */
const SIMULATED = "DEVCHAIN_SOLANA=on"

const isSwitchedOff = (lanes: Lanes["Service"], own: keyof typeof OWN): boolean =>
  own === "solana" && lanes.all.some(lane => lane.config.simulated === true)

export const ownLane = (
  lanes: Lanes["Service"],
  own: keyof typeof OWN
): Effect.Effect<Lane, Refusal> =>
  Effect.suspend(() => {
    const chain = OWN[own]
    const { id, key } = chain
    const lane = laneIn(lanes.all, String(id))
    if (lane !== undefined) return Effect.succeed(lane)
    const name = shownChain(chain) === key ? key : `${id} (${key})`
    const settings = [rpcSettingOf(chain), ...(isSwitchedOff(lanes, own) ? [SIMULATED] : [])]
    const message = `chain ${name} is off on this deployment; set ${settings.join(" or ")} to turn it on`
    const refusal = new Refusal({ status: 503, code: "CHAIN_NOT_ENABLED", message })
    return Effect.fail(withheldOr(lanes, key, refusal))
  })
