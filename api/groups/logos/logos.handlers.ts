import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Lanes } from "../../../engine/lane/lanes.ts"
import { answered, keptFor, lastingResponse } from "../../answering.ts"
import { Api } from "../../api.ts"
import { EngineInfo } from "../../engine-info.ts"
import { Refusal } from "../../errors.ts"
import { tokenOn } from "../served-lane.ts"
import { withheldOr } from "../withheld-chain.ts"
import { drawLogo } from "./draw-logo.ts"

const encoder = new TextEncoder()

/** Seconds that a reader may keep a picture, which changes only with the way of drawing. */
const KEPT_SECONDS = 86_400
/** Headers that forbid scripts and loads in a picture which is opened by itself. */
const PICTURE = {
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff"
}

export const LogosHandlers = HttpApiBuilder.group(
  Api,
  "logos",
  Effect.fnUntraced(function* (handlers) {
    const lanes = yield* Lanes
    const { version } = yield* EngineInfo
    const logo = (chain: string, address: string) => {
      const lane = lanes.find(chain.toLowerCase())
      if (lane !== undefined) {
        return Effect.map(tokenOn(lane, address), token => {
          const bytes = encoder.encode(drawLogo(token))
          const response = lastingResponse(version, bytes, "image/svg+xml", PICTURE)
          return keptFor(response, KEPT_SECONDS)
        })
      }
      const served = lanes.all.map(({ config }) => config.key).join(", ")
      const message = `chain ${chain} is not served here; served: ${served}`
      const refusal = new Refusal({ status: 400, code: "UNSUPPORTED_CHAIN", message })
      return Effect.fail(withheldOr(lanes, chain, refusal))
    }
    return handlers.handle("getLogo", ({ params }) => answered(logo(params.chain, params.address)))
  })
)
