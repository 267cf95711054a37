/** What a call of each tool names, for tests that call all of them. */
import { toolTable } from "../../api/mcp/tool-table.ts"
import { tools } from "../../api/mcp/tools.ts"
import { inBase58 } from "./route-urls.ts"

type Json = Record<string, unknown>

export interface Named {
  readonly token: string
  readonly wallet: string
  /** a token or an account that nobody knows */
  readonly other: string
  /** a minute in which the token was traded */
  readonly minute: number
  readonly quoteId: string
}

/** Whether a tool tells of Solana alone, whose accounts are of another form. */
export const isOfSolana = (name: string): boolean => {
  const of = toolTable().get(name) ?? ""
  return typeof of !== "string" && Object.keys(of).join() === "solana"
}

/** What the tool needs, the chain and a token: of what it takes. */
export const toolArguments = (name: string, chain: string, named: Named): Json => {
  const { token, wallet, other, minute, quoteId } = named
  const { properties = {}, required = [] } =
    tools().get(`swaptape_${name}`)?.listed.inputSchema ?? {}
  const needed = {
    ...{ token, q: "T2", t: minute, inputMint: token, outputMint: other },
    ...{ amount: "1000", taker: other, quoteId }
  }
  const ofSolana = isOfSolana(name) ? { token: inBase58(token) } : {}
  const given = { ...needed, wallet, ...ofSolana, chain }
  const wanted = Object.keys(properties).filter(
    each => required.includes(each) || each === "chain" || each === "token"
  )
  return Object.fromEntries(Object.entries(given).filter(([each]) => wanted.includes(each)))
}
