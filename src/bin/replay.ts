/** Runs `npm run replay`. */
import { runMain } from "../platform/environment.ts"
import { replayProgram } from "./replay-program.ts"

runMain(replayProgram)
