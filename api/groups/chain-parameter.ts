/** Parameters that name a chain by id or key: `chain=` of a query, `{chain}` of a path. */
import { optional, text } from "../parameters.ts"

/** Id of the chain that a request means where it names none (spec, part 1). */
export const DEFAULT_CHAIN = "143"

const about = {
  pattern: /^[a-zA-Z0-9]{1,32}$/,
  expected: "a chain's id or key",
  example: "8453"
}

/** `chain=` of a query, required. */
export const chainParameter = text({
  ...about,
  description: "chain: its id or its key, in any letter case"
})

/** `chain=` of a query; where absent, the default chain. */
export const oneChain = {
  chain: optional(
    text({ ...about, description: chainParameter.openapi.description, default: DEFAULT_CHAIN })
  )
}

/** `chain=` of a query; where absent, the first chain that knows the token. */
export const anyChain = {
  chain: optional(
    text({
      ...about,
      description:
        "chain: its id or its key, in any letter case; by default the first on which the token trades"
    })
  )
}

/** `{chain}` of a path in the chain-keyed family. */
export const chainPath = {
  chain: text({
    description: "avalanche, base, bnb, arbitrum, ethereum, solana or its id, in any letter case",
    pattern: /^[a-zA-Z0-9]+$/,
    expected: "a chain's name or id",
    code: "UNSUPPORTED_CHAIN",
    example: "base"
  })
}
