/** Prompts: questions that a client offers to its user, told in the tools that answer them. */
import { Effect } from "effect"
import {
  MCP_CODES,
  type McpPrompt,
  McpRefusal,
  type PromptResult
} from "../../src/platform/mcp-protocol.ts"

type Args = Readonly<Record<string, string>>

interface Prompt {
  readonly listed: McpPrompt
  readonly text: (args: Args) => string
}

const chain = { name: "chain", description: "chain, by key or id, such as base", required: true }
const addressOf = (what: string) => ({
  name: "address",
  description: `the ${what}'s address: 0x and 40 hex digits, on Solana base58 of 32 bytes`,
  required: true
})

const PRECISE =
  "Give numbers as the tools give them, say what is null or unknown, and name the log position " +
  "(X-Log-Seq) of each answer you use."

const PROMPTS: ReadonlyArray<Prompt> = [
  {
    listed: {
      name: "explain_token_price",
      title: "Explain a token's price",
      description: "Why a token costs what it costs, and how far that can be trusted",
      arguments: [chain, addressOf("token")]
    },
    text: ({ chain, address }) =>
      `Explain the price of token ${address} on chain ${chain}. Call swaptape_price_explain with ` +
      `chain=${chain} and token=${address} for the recipe, pools and weights, swaptape_token for its ` +
      `day and swaptape_token_pools for its depth. If it bears a flag, call swaptape_flags_explain. ` +
      `Say which pools set the price, how deep they are, and what speaks against it. ${PRECISE}`
  },
  {
    listed: {
      name: "look_into_wallet",
      title: "Look into a wallet",
      description: "What a wallet traded, what it made, and how it trades",
      arguments: [chain, addressOf("wallet")]
    },
    text: ({ chain, address }) =>
      `Look into wallet ${address} on chain ${chain}. Call swaptape_wallet with days=30 for what it ` +
      `made with each token, then swaptape_wallet_trades for its newest trades. Say where its profit ` +
      `or loss comes from, how often it trades, and whether the log holds its whole past. ${PRECISE}`
  },
  {
    listed: {
      name: "compare_chains_volume",
      title: "Compare the chains' volume",
      description: "Which chain trades most, on which venues, and how that moves",
      arguments: []
    },
    text: () =>
      `Compare the trade of the chains served here. Call swaptape_chains, then swaptape_overview for ` +
      `each of them, and swaptape_health to know which stand still. Put volume, swaps, wallets and the ` +
      `largest venues of the last 24 hours in one table, and say how complete each is. ${PRECISE}`
  }
]

export const prompts: ReadonlyArray<McpPrompt> = PROMPTS.map(({ listed }) => listed)

const invalid = (message: string) => new McpRefusal({ code: MCP_CODES.invalidParams, message })

/** An argument is quoted in a prompt, so it is a plain word. */
const WORD = /^\w{1,64}$/

/** Returns a prompt with its arguments in place. */
export const getPrompt = Effect.fnUntraced(function* (name: string, args: Args) {
  const prompt = PROMPTS.find(({ listed }) => listed.name === name)
  if (prompt === undefined) {
    const names = prompts.map(each => each.name).join(", ")
    return yield* invalid(
      `there is no prompt ${JSON.stringify(name.slice(0, 64))}; there are ${names}`
    )
  }
  for (const { name: argument, description } of prompt.listed.arguments ?? []) {
    if (!WORD.test(args[argument] ?? "")) {
      return yield* invalid(`${argument} is required: ${description}`)
    }
  }
  const { description } = prompt.listed
  return {
    ...(description === undefined ? {} : { description }),
    messages: [{ role: "user", content: { type: "text", text: prompt.text(args) } }]
  } satisfies PromptResult
})
