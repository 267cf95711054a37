/** A call of an MCP tool over HTTP, without a client. */

type Json = Readonly<Record<string, unknown>>

/** Calls `swaptape_<name>` of the API at `url`; its text, also parsed, and whether it is an error. */
export const callTool = async (url: string, name: string, args: Json) => {
  const params = { name: `swaptape_${name}`, arguments: args }
  const response = await fetch(`${url}/v1/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  })
  const { result } = (await response.json()) as {
    result: { isError?: boolean; content: [{ text: string }] }
  }
  const { text } = result.content[0]
  return { isError: result.isError === true, text, told: JSON.parse(text) as Json }
}
