/** How a caller names himself, for the OpenAPI document: a key that only one route must have. */

const NAME = "ApiKey"
const SENT = [{ [NAME]: [] }]
const MAY_BE_SENT = [{}, ...SENT]

const SCHEME = {
  type: "apiKey",
  in: "header",
  name: "X-API-Key",
  description:
    "Of whoever runs the service, and no route that reads needs it: with one, requests are counted by the key and its plan, `only=` of quotes is taken, and chains that are not public are shown."
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: object } }
  readonly components: { readonly [kind: string]: unknown }
}

/** Adds the scheme to a document. `needsKey`: paths that answer nobody without a key. */
export const withKeyScheme = (
  spec: Record<string, unknown>,
  needsKey: ReadonlyArray<string>
): Record<string, unknown> => {
  const { paths, components } = spec as unknown as Document
  const secured = Object.entries(paths).map(([path, methods]) => {
    const security = needsKey.includes(path) ? SENT : MAY_BE_SENT
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      { ...operation, security }
    ])
    return [path, Object.fromEntries(operations)]
  })
  return {
    ...spec,
    paths: Object.fromEntries(secured),
    components: { ...components, securitySchemes: { [NAME]: SCHEME } }
  }
}
