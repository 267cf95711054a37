/** Runs `npm run log`. */
import { runMain } from "../platform/environment.ts"
import { logProgram } from "./log-program.ts"

// A reader such as `head` that closes the pipe ends the command.
process.stdout.on("error", () => process.exit(0))
runMain(logProgram)
