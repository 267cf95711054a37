/** An answer as the baseline sends it. */
import { getOnce } from "./keep-alive-client.ts"
import type { RawPage } from "./raw-assistant.ts"

/** Asks for a page; any answer but 200 is an error. */
export const rawPage = async (port: number, path: string): Promise<RawPage> => {
  const { status, headers, body } = await getOnce(port, path)
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  // a route of uWebSockets is a path without its query
  return { path: path.split("?")[0] as string, headers, body: body.toString("base64") }
}
