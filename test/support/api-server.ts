/** The API on a real socket, over fake lanes, for tests. */
import { Effect, Exit, References, Scope } from "effect"
import { apiDescription } from "../../api/description.ts"
import { type ApiServer, type ServeOptions, serveApi } from "../../api/server/serve.ts"
import type { Lane } from "../../engine/lane/lanes.ts"
import { fakeLanes } from "./fake-lanes.ts"
import { get } from "./get.ts"

export interface TestApi extends ApiServer {
  readonly close: () => Promise<void>
}

/**
 * Starts on a free port, without a rate limit unless told. Prints the cause of each answer with 500,
 * which is a defect. Close it.
 */
export const startApi = async (
  lanes: ReadonlyArray<Lane>,
  options: Partial<ServeOptions> = {}
): Promise<TestApi> => {
  const scope = Scope.makeUnsafe()
  const served = serveApi({
    host: "127.0.0.1",
    port: 0,
    rateLimit: { enforced: false, loopbackEnforced: false },
    ...options
  })
  const server = await Effect.runPromise(
    served.pipe(
      Effect.provideService(Scope.Scope, scope),
      Effect.provide(fakeLanes(lanes)),
      Effect.provideService(References.MinimumLogLevel, "Error")
    )
  )
  return { ...server, close: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** As `fetch` types it: answers of many routes, asserted by value. */
export type Body = Awaited<ReturnType<Response["json"]>>

/** Reads bodies of answers by their path below `/v1`; any but 200 is an error. */
export const readerOf =
  ({ url }: TestApi) =>
  async (path: string): Promise<Body> => {
    const { status, text } = await get(`${url}/v1${path}`)
    const body: Body = JSON.parse(text)
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`)
    return body
  }

interface Operation {
  readonly responses: {
    readonly [status: string]: {
      readonly content?: {
        readonly "application/json"?: {
          readonly schema: EnvelopeSchema & { readonly anyOf?: ReadonlyArray<EnvelopeSchema> }
        }
      }
    }
  }
}
interface EnvelopeSchema {
  readonly properties?: { readonly error?: ErrorSchema }
}
interface ErrorSchema {
  readonly enum?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<{ readonly enum: ReadonlyArray<string> }>
}

/** Codes an operation declares for a status. */
export const declaredCodes = (path: string, status: number): ReadonlyArray<string> => {
  const operation = apiDescription().paths[path]?.get as unknown as Operation | undefined
  const schema = operation?.responses[status]?.content?.["application/json"]?.schema
  const errors = [schema, ...(schema?.anyOf ?? [])].map(each => each?.properties?.error)
  return errors.flatMap(error => error?.enum ?? error?.anyOf?.flatMap(each => each.enum) ?? [])
}
