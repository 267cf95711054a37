/**
 * Request parameters, declared once: how the text decodes, what is expected of it (the refusal
 * says so), the refusal's code, and how OpenAPI describes it. Numbers are plain decimal digits:
 * `1e3`, ` 5` or `0x10` are refused, for a cache key and a log line should show what was meant.
 */
import { Context, Schema, SchemaGetter } from "effect"
import { OpenApi } from "effect/http-api"
import { EndpointToldBy, EndpointTool, type ToldBy, type Tool } from "./declared.ts"
import type { ErrorCode } from "./errors.ts"

export interface Parameter<S extends Schema.Top = Schema.Top> {
  readonly schema: S
  /** completes "<name> must be …" */
  readonly expected: string
  readonly code: ErrorCode
  /** the part of a bad value that makes it bad, where it is of parts */
  readonly wrongPart?: (given: string) => string
  /** of `fields`: the list of the answer whose rows keep these alone */
  readonly rows?: string
  readonly openapi: {
    readonly description: string
    readonly example?: string | number
    readonly schema: { readonly [keyword: string]: unknown }
    /** as `rows` */
    readonly "x-rows"?: string
  }
}

export interface Parameters {
  readonly [name: string]: Parameter
}

interface Describe {
  readonly description: string
  /** code of the refusal; INVALID_PARAMS unless told */
  readonly code?: ErrorCode
  readonly example?: string | number
}

interface Form {
  readonly expected: string
  readonly schema: { readonly [keyword: string]: unknown }
}

const parameter = <S extends Schema.Top>(schema: S, form: Form, about: Describe): Parameter<S> => ({
  schema,
  expected: form.expected,
  code: about.code ?? "INVALID_PARAMS",
  openapi: {
    description: about.description,
    ...(about.example === undefined ? {} : { example: about.example }),
    schema: form.schema
  }
})

const numberText = (pattern: RegExp, accepts: (value: number) => boolean) =>
  Schema.String.check(
    Schema.makeFilter<string>(text => pattern.test(text) && accepts(Number(text)))
  ).pipe(
    Schema.decodeTo(Schema.Finite, {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** A whole number from `min` to `max`, both included. */
export const integer = (
  about: Describe & { readonly min: number; readonly max: number; readonly default?: number }
) => {
  const { min, max } = about
  return parameter(
    numberText(/^[0-9]{1,16}$/, value => value >= min && value <= max),
    {
      expected: `an integer from ${min} to ${max}`,
      schema: {
        type: "integer",
        minimum: min,
        maximum: max,
        ...(about.default === undefined ? {} : { default: about.default })
      }
    },
    about
  )
}

/** A number of at least `min` in plain decimals, as its text: a double may be another number. */
export const decimal = (about: Describe & { readonly min: number }) =>
  parameter(
    Schema.String.check(
      Schema.makeFilter<string>(
        text => /^[0-9]{1,15}(\.[0-9]{1,18})?$/.test(text) && Number(text) >= about.min
      )
    ),
    {
      expected: `a number of at least ${about.min}, in plain decimals such as 1000.5`,
      schema: { type: "number", minimum: about.min }
    },
    about
  )

/** One of a few words, letter case as given. */
export const oneOf = <const Values extends readonly [string, ...ReadonlyArray<string>]>(
  about: Describe & { readonly values: Values; readonly default?: Values[number] }
) =>
  parameter(
    Schema.Literals(about.values),
    {
      expected:
        about.values.length === 1 ? `${about.values[0]}` : `one of ${about.values.join(", ")}`,
      schema: {
        type: "string",
        enum: about.values,
        ...(about.default === undefined ? {} : { default: about.default })
      }
    },
    about
  )

/** Off or on, `0` or `1`. */
export const flag = (about: Describe) => oneOf({ ...about, values: ["0", "1"], default: "0" })

/** Text of a given form. `expected` completes "<name> must be …". */
export const text = (
  about: Describe & {
    readonly pattern: RegExp
    readonly expected: string
    readonly default?: string
  }
) =>
  parameter(
    Schema.String.check(Schema.isPattern(about.pattern)),
    {
      expected: about.expected,
      schema: {
        type: "string",
        pattern: about.pattern.source,
        ...(about.default === undefined ? {} : { default: about.default })
      }
    },
    about
  )

/** Some of a few names, separated by commas. */
export const names = (about: Describe & { readonly of: ReadonlyArray<string> }) => {
  const name = `(${about.of.join("|")})`
  return {
    ...text({
      ...about,
      pattern: new RegExp(`^${name}(,${name})*$`),
      expected: `one or more of ${about.of.join(", ")}, separated by commas`
    }),
    wrongPart: (given: string): string =>
      given.split(",").find(part => !about.of.includes(part)) || given
  }
}

/** `fields`: which of its fields each row of a list in the answer shows. */
export const rowFields = (rows: string, row: { readonly fields: object }) => {
  const fieldNames = Object.keys(row.fields)
  const fields = names({
    description: `fields of each of \`${rows}\` to answer, separated by commas: its rows have these alone then, and all unless told`,
    of: fieldNames,
    example: fieldNames.slice(0, 2).join(",")
  })
  const openapi = { ...fields.openapi, "x-rows": rows }
  return { fields: { ...optional(fields), openapi, rows } }
}

/** An EVM address in any letter case, of routes that know no chain of another family. */
export const evmAddress = (about: Describe) =>
  text({ ...about, pattern: /^0x[a-fA-F0-9]{40}$/, expected: "0x and 40 hex digits (EVM alone)" })

/**
 * An account of any chain: an EVM address in any letter case, or base58 of 32 bytes, whose letter
 * case counts. Which of them its chain has is looked at with the lane (`accountOn`).
 */
export const address = (about: Describe) =>
  text({
    ...about,
    pattern: /^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
    expected: "0x and 40 hex digits, on Solana base58 of 32 bytes"
  })

/** A pool of any chain, by its account or its id of 32 bytes; looked at by `poolOn`. */
export const pool = (about: Describe) =>
  text({
    ...about,
    pattern: /^(0x([a-fA-F0-9]{40}|[a-fA-F0-9]{64})|[1-9A-HJ-NP-Za-km-z]{32,44})$/,
    expected: "0x and 40 or 64 hex digits, on Solana base58 of 32 bytes"
  })

/** Allows a parameter to be absent. */
export const optional = <S extends Schema.Top>(self: Parameter<S>) => ({
  ...self,
  schema: Schema.optionalKey(self.schema)
})

/** The schemas alone, as an endpoint wants them. */
export const schemasOf = <P extends Parameters>(parameters: P) => {
  const entries = Object.entries(parameters).map(([name, self]) => [name, self.schema])
  return Object.fromEntries(entries) as { readonly [K in keyof P]: P[K]["schema"] }
}

/** The parameters of an endpoint by name, kept on the endpoint for whoever refuses a bad one. */
export class EndpointParameters extends Context.Service<EndpointParameters, Parameters>()(
  "swaptape/api/EndpointParameters"
) {}

interface OpenApiParameter {
  readonly name: string
  readonly [field: string]: unknown
}

/** Annotations of an endpoint: its words in OpenAPI, and its parameters with forms and examples. */
export const documented = (options: {
  /** of each GET route */
  readonly tool?: Tool
  /** `lane` unless told */
  readonly toldBy?: ToldBy
  readonly summary: string
  readonly description: string
  readonly parameters?: Parameters
}): Context.Context<never> => {
  const parameters = options.parameters ?? {}
  const describe = (listed: OpenApiParameter): OpenApiParameter => ({
    ...listed,
    ...parameters[listed.name]?.openapi
  })
  const words = OpenApi.annotations({
    summary: options.summary,
    description: options.description,
    transform: operation => ({
      ...operation,
      parameters: ((operation["parameters"] ?? []) as ReadonlyArray<OpenApiParameter>).map(describe)
    })
  })
  const toldBy = Context.add(words, EndpointToldBy, options.toldBy ?? "lane")
  const declared = Context.add(toldBy, EndpointParameters, parameters)
  return options.tool === undefined ? declared : Context.add(declared, EndpointTool, options.tool)
}
