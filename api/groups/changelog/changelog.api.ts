/** `GET /v1/changelog`: what changed in the contract (spec, part 9). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ANY_ROUTE } from "../../errors.ts"
import { documented } from "../../parameters.ts"
import { CHANGE_KINDS } from "./contract-day.ts"

const Day = Schema.String.annotate({ description: "a day in UTC, as 2026-01-31" })

const Changelog = Schema.Struct({
  version: Day.annotate({ description: "of the contract: the day of its newest change" }),
  days: Schema.Array(
    Schema.Struct({
      date: Day,
      changes: Schema.Array(
        Schema.Struct({
          kind: Schema.Literals(CHANGE_KINDS).annotate({
            description: "what it asks of clients: `added` and `fixed` nothing"
          }),
          routes: Schema.Array(Schema.String).annotate({
            description: "paths as the contract has them; none where all are meant"
          }),
          text: Schema.String
        })
      )
    })
  ).annotate({ description: "newest first" })
}).annotate({ identifier: "Changelog", description: "changes of the contract, day by day" })

export const ChangelogApi = HttpApiGroup.make("changelog")
  .add(
    HttpApiEndpoint.get("getChangelog", "/changelog", {
      success: Changelog,
      error: ANY_ROUTE
    }).annotateMerge(
      documented({
        toldBy: "code",
        tool: { none: "for who writes programs; what tools take and answer stands in their list" },
        summary: "Changes of the contract",
        description:
          "What was added, changed, fixed and removed in routes, parameters, fields, codes and frames, newest first. Its `version` is `info.version` of `/v1/openapi.json`."
      })
    )
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Changelog", description: "What changed in the contract" })
  )
