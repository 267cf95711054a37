/** Runs the JavaScript example of a document as it stands there. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"

/**
 * Returns what the example prints, by line.
 *
 * @param path of the document, in the project's folder
 * @param env what is added to its environment
 * @param meanwhile done again and again until it ends
 */
export const runExample = async (
  path: string,
  env: { readonly [name: string]: string },
  meanwhile: () => Promise<void>
): Promise<ReadonlyArray<string>> => {
  const [, code = ""] = /```js\n(.*?)```/s.exec(readFileSync(path, "utf8")) ?? []
  let isOver = false
  const args = ["--input-type=module", "-e", code]
  const options = { env: { ...process.env, ...env } }
  const ended = promisify(execFile)(process.execPath, args, options).finally(() => {
    isOver = true
  })
  while (!isOver) await meanwhile()
  return (await ended).stdout.trimEnd().split("\n")
}
