/**
 * What holds of the parameters of every endpoint, as it declares them: one that it has not is
 * refused with the nearest name, one that does not decode with its own code and name, in the
 * envelope of every other refusal; and `fields` leaves rows with the fields it names.
 */
import { Context, Effect, Layer, type Schema, SchemaAST, SchemaIssue } from "effect"
import { HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { pickRows, refusalResponse } from "./answering.ts"
import { expectedField, required, requiredField } from "./body-fields.ts"
import { noParameter, shownText } from "./nearest-name.ts"
import { EndpointParameters, type Parameter, type Parameters } from "./parameters.ts"

export class ParameterRules extends HttpApiMiddleware.Service<ParameterRules>()(
  "swaptape/api/ParameterRules"
) {}

type SchemaError = HttpApiError.HttpApiSchemaError
type Given = string | ReadonlyArray<string> | undefined

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()
/** The name of the first parameter that did not decode. */
const failedName = (error: SchemaError): string | undefined => {
  const [first] = issuesOf(error.cause.issue).issues[0]?.path ?? []
  return first === undefined ? undefined : String(typeof first === "object" ? first.key : first)
}

const sentence = (name: string, parameter: Parameter | undefined, given: Given): string => {
  const expected = parameter?.expected ?? "as documented"
  if (given === undefined) return required(name, expected)
  if (typeof given !== "string") return `${name} is given more than once`
  return `${name} must be ${expected}, got ${shownText(parameter?.wrongPart?.(given) ?? given)}`
}

const kindsOf = SchemaIssue.makeFormatterStandardSchemaV1({ leafHook: ({ _tag }) => _tag })

/** What is wrong with a body, and where in it. */
const bodyMessage = (error: SchemaError, body: Schema.Top | undefined): string => {
  const [issue] = kindsOf(error.cause.issue).issues
  const path = (issue?.path ?? []).map(part => String(typeof part === "object" ? part.key : part))
  if (path.length === 0 || body === undefined) {
    const what = body === undefined ? undefined : SchemaAST.resolveDescription(body.ast)
    return `the body must be a JSON object: ${what ?? "as documented"}`
  }
  if (issue?.message === "MissingKey") return requiredField(body, path)
  return `${path.join(".")} in the body must be ${expectedField(body, path) ?? "as documented"}`
}

const refuseBad = Effect.fnUntraced(function* (
  error: SchemaError,
  parameters: Parameters,
  body: Schema.Top | undefined
) {
  if (error.kind === "Payload") {
    const message = bodyMessage(error, body)
    return refusalResponse({ status: 400, code: "INVALID_PARAMS", message })
  }
  const name = failedName(error) ?? error.kind.toLowerCase()
  const parameter = parameters[name]
  const { params } = yield* HttpRouter.RouteContext
  const query = yield* HttpServerRequest.ParsedSearchParams
  const message = sentence(name, parameter, params[name] ?? query[name])
  return refusalResponse({ status: 400, code: parameter?.code ?? "INVALID_PARAMS", message })
})

const WRONG_TYPE = {
  status: 415,
  code: "UNSUPPORTED_MEDIA_TYPE",
  message: "send the body as JSON, with Content-Type: application/json"
} as const

const COMPRESSED = {
  ...WRONG_TYPE,
  message: "send the body as it is: compressed bodies are not read"
} as const

/** The framework refuses a body of another type by itself, in text. */
const inEnvelope = (response: HttpServerResponse.HttpServerResponse) =>
  response.status === WRONG_TYPE.status && response.headers["content-type"] !== "application/json"
    ? refusalResponse(WRONG_TYPE)
    : response

const refuseUnknown = (name: string, known: ReadonlyArray<string>) =>
  refusalResponse({
    status: 400,
    code: "INVALID_PARAMS",
    message: noParameter(name, known, "this route")
  })

/** An answer that does not encode is a defect of ours, not of the request. */
export const parameterRules = Layer.succeed(ParameterRules, (httpEffect, { endpoint }) => {
  const parameters = Context.getOrUndefined(endpoint.annotations, EndpointParameters) ?? {}
  const inPath = (name: string): boolean => endpoint.path.split("/").includes(`:${name}`)
  const known = Object.keys(parameters).filter(name => !inPath(name))
  const rows = parameters["fields"]?.rows
  const [payload] = endpoint.payload.values()
  const body = payload?.schemas[0]
  return Effect.gen(function* () {
    if (endpoint.method === "POST") {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const coding = headers["content-encoding"] ?? ""
      if (!/^(identity)?$/i.test(coding)) return refusalResponse(COMPRESSED)
    }
    const query = yield* HttpServerRequest.ParsedSearchParams
    const unknown = Object.keys(query).find(name => !known.includes(name))
    if (unknown !== undefined) return refuseUnknown(unknown, known)
    const answer = yield* Effect.catch(httpEffect, error => {
      if (!HttpApiError.HttpApiSchemaError.is(error)) return Effect.fail(error)
      if (error.kind === "Body" || error.kind === "ResponseHeaders") return Effect.die(error)
      return refuseBad(error, parameters, body)
    })
    const response = inEnvelope(answer)
    const { fields } = query
    if (rows === undefined || typeof fields !== "string") return response
    return pickRows(response, rows, fields.split(","))
  })
})
