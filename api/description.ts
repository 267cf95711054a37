/** The API's own description, as OpenAPI 3.1. */
import { OpenApi } from "effect/http-api"
import { Api, ShownApi } from "./api.ts"
import { onceAsked } from "./once-asked.ts"

/** Of the declarations, which never change: one for all who show or read it. */
export const apiDescription = onceAsked(() => OpenApi.fromApi(Api))

/** The description for clients of others: rows that `fields` chooses from may lack any field. */
export const shownDescription = onceAsked(() => OpenApi.fromApi(ShownApi))
