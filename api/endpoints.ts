/** The declared endpoints, for whoever goes through all of them. */
import { Context, type Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "./api.ts"
import { EndpointToldBy, EndpointTool, type ToldBy, type Tool } from "./declared.ts"
import { onceAsked } from "./once-asked.ts"
import { EndpointParameters, type Parameters } from "./parameters.ts"

export interface Endpoint {
  /** in the OpenAPI document */
  readonly id: string
  readonly method: string
  /** as `/v1/chains/:chain/tokens` */
  readonly path: string
  readonly parameters: Parameters
  readonly tool: Tool | undefined
  readonly toldBy: ToldBy
  /** of the body with 200; of several forms one */
  readonly answers: ReadonlyArray<Schema.Top>
}

/** In the order of the declarations. */
export const endpoints = onceAsked((): ReadonlyArray<Endpoint> => {
  const list: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint: { annotations, identifier, method, path, success } }) => {
      list.push({
        id: `${group.identifier}.${identifier}`,
        method,
        path,
        parameters: Context.getOrUndefined(annotations, EndpointParameters) ?? {},
        tool: Context.getOrUndefined(annotations, EndpointTool),
        toldBy: Context.get(annotations, EndpointToldBy),
        answers: [...success]
      })
    }
  })
  return list
})
