/** `npm run replay -- --chain solana` of a test's own files, in a folder of its own. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { addressOf } from "../../streams/solana/made-transaction.ts"
import { runCommand } from "./command.ts"
import { temporaryFolder } from "./nats.ts"

/** A block as nodes answer it, on the slot `parentSlot`; `more` has its transactions. */
export const blockOn = (parentSlot: number, hash: number, more: object) => ({
  ...{ blockhash: addressOf(hash), previousBlockhash: addressOf(hash - 1), parentSlot },
  ...{ blockTime: 1_700_000_000 + parentSlot, ...more }
})

/** A folder for files to replay, and for what is made of them by the name of its data folder. */
export const newSolanaReplay = () => {
  const folder = temporaryFolder()
  return {
    path: folder.path,
    remove: folder.remove,
    /** writes a file to replay; answers its path */
    file: (name: string, content: string | Uint8Array): string => {
      const path = join(folder.path, name)
      writeFileSync(path, content)
      return path
    },
    /** runs the command on the data folder of this name */
    replay: (data: string, ...args: ReadonlyArray<string>) =>
      runCommand("replay", ["--chain", "solana", "--data", join(folder.path, data), ...args])
  }
}
