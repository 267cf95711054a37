/**
 * A parameter that does not decode answers 400 with the parameter's own code and name, in the
 * envelope of every other refusal. Without this the framework answers an empty body.
 */
import { Context, Effect, SchemaIssue } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { refusalResponse } from "./answering.ts"
import { EndpointParameters } from "./parameters.ts"

export class ParameterErrors extends HttpApiMiddleware.Service<ParameterErrors>()(
  "swaptape/api/ParameterErrors"
) {}

type SchemaError = HttpApiError.HttpApiSchemaError

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()
const SHOWN_LENGTH = 64

const shown = (value: string): string =>
  JSON.stringify(value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value)

/** The name of the first parameter that did not decode. */
const failedName = (error: SchemaError): string | undefined => {
  const [first] = issuesOf(error.cause.issue).issues[0]?.path ?? []
  return first === undefined ? undefined : String(typeof first === "object" ? first.key : first)
}

const sentence = (
  name: string,
  expected: string,
  given: string | ReadonlyArray<string> | undefined
): string => {
  if (given === undefined) return `${name} is required: ${expected}`
  if (typeof given !== "string") return `${name} is given more than once`
  return `${name} must be ${expected}, got ${shown(given)}`
}

const refuse = Effect.fnUntraced(function* (
  error: SchemaError,
  annotations: Context.Context<never>
) {
  const name = failedName(error) ?? error.kind.toLowerCase()
  const parameter = Context.getOrUndefined(annotations, EndpointParameters)?.[name]
  const { params } = yield* HttpRouter.RouteContext
  const query = yield* HttpServerRequest.ParsedSearchParams
  return refusalResponse({
    status: 400,
    code: parameter?.code ?? "INVALID_PARAMS",
    message: sentence(name, parameter?.expected ?? "as documented", params[name] ?? query[name])
  })
})

/** An answer that does not encode is a defect of ours, not of the request. */
export const parameterErrors = HttpApiMiddleware.layerSchemaErrorTransform(
  ParameterErrors,
  (error, { endpoint }) =>
    error.kind === "Body" || error.kind === "ResponseHeaders"
      ? Effect.die(error)
      : refuse(error, endpoint.annotations)
)
