/** Runs the product's own `start` on one chain behind an RPC. */
import type { ChildProcess } from "node:child_process"
import { createInterface } from "node:readline"
import { startProgram, stopProgram } from "../measure/programs.ts"

const command = new URL("../../src/bin/start.ts", import.meta.url).pathname

/** The port that `start` says it is ready on. */
const readyPort = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    lines.on("line", line => {
      const found = /^ready http:\/\/127\.0\.0\.1:(\d+)$/.exec(line)
      if (found !== null) resolve(Number(found[1]))
    })
    child.once("exit", (code, signal) => reject(new Error(`start ended: ${signal ?? code}`)))
  })

export interface EngineSettings {
  readonly dataFolder: string
  readonly chainId: number
  /** of the chain's RPC; the first that works is used */
  readonly endpoints: ReadonlyArray<string>
  readonly profileFolder: string | undefined
}

/** Runs with a ready engine and its port. */
export const withEngine = async <A>(
  { dataFolder, chainId, endpoints, profileFolder }: EngineSettings,
  use: (port: number) => Promise<A>
): Promise<A> => {
  const env = {
    PORT: "0",
    HOST: "127.0.0.1",
    DATA_DIR: dataFolder,
    [`RPC_${chainId}`]: endpoints.join(","),
    [`START_${chainId}`]: "0"
  }
  const child = startProgram(command, ["ignore", "pipe", "inherit"], { env, profileFolder })
  try {
    return await use(await readyPort(child))
  } finally {
    await stopProgram(child)
  }
}
