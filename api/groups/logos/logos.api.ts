/** `GET /v1/logo/{chain}/{address}` (spec 4.5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY_ROUTE, failure } from "../../errors.ts"
import { address, documented, schemasOf, text } from "../../parameters.ts"
import { BASE_WETH } from "../token-parameter.ts"

const path = {
  chain: text({
    description: "chain id, or the chain's key, in any letter case",
    pattern: /^[a-zA-Z0-9]+$/,
    expected: "a chain's name or id",
    code: "UNSUPPORTED_CHAIN",
    example: "base"
  }),
  address: address({ description: "address of the token", code: "BAD_ADDRESS", example: BASE_WETH })
}

export const LogosApi = HttpApiGroup.make("logos")
  .add(
    HttpApiEndpoint.get("getLogo", "/logo/:chain/:address", {
      params: schemasOf(path),
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "image/svg+xml" })),
      error: [failure(400, "UNSUPPORTED_CHAIN", "BAD_ADDRESS"), ...ANY_ROUTE]
    }).annotateMerge(
      documented({
        toldBy: "code",
        tool: { none: "a picture" },
        summary: "Logo of a token",
        description:
          "A picture drawn from the address: nobody's artwork, the same everywhere, and different for two tokens of one symbol.",
        parameters: path
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Logos", description: "Pictures of tokens" }))
