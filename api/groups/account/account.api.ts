/** `GET /v1/account/key`: the caller's own key (spec 4.17, part 5). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { BUCKETS, type BucketName } from "../../../src/rules/plans.ts"
import { ANY_ROUTE, failure } from "../../errors.ts"
import { documented } from "../../parameters.ts"

const Seconds = Schema.Int.annotate({ description: "Unix seconds" })

const Bucket = Schema.Struct({
  limit: Schema.Int.annotate({ description: "requests a minute" }),
  used: Schema.Int.annotate({ description: "requests in the present window" }),
  remaining: Schema.Int
}).annotate({ identifier: "KeyBucket" })

const buckets = Object.fromEntries(BUCKETS.map(name => [name, Bucket])) as {
  readonly [name in BucketName]: typeof Bucket
}

export const AccountKey = Schema.Struct({
  id: Schema.String.annotate({ description: "what tells keys apart; it opens nothing" }),
  name: Schema.String,
  plan: Schema.String,
  createdAt: Seconds,
  rotatedAt: Schema.NullOr(Seconds).annotate({ description: "null where its secret is the first" }),
  window: Schema.Struct({ since: Seconds, reset: Seconds }).annotate({
    description: "the minute that requests are counted in"
  }),
  limits: Schema.Struct(buckets).annotate({ description: "limits and use, by bucket" })
}).annotate({ identifier: "AccountKey", description: "a key, without what opens it" })
export type AccountKey = typeof AccountKey.Type

export const AccountApi = HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("getKey", "/account/key", {
      success: AccountKey,
      error: [failure(401, "API_KEY_REQUIRED"), ...ANY_ROUTE]
    }).annotateMerge(
      documented({
        toldBy: "others",
        tool: { none: "tells of the key that the agent's client was given, not of a market" },
        summary: "Your API key",
        description:
          "The key that the request came with: its plan, its limits by bucket, and what is used of them in this minute. This request counts, too."
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Account", description: "The caller's own key" }))
