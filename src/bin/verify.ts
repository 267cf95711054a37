/** Runs `npm run verify`. */
import { runMain } from "../platform/environment.ts"
import { verifyProgram } from "./verify-program.ts"

runMain(verifyProgram)
