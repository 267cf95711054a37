/** Runs `npm run keys`. */
import { runMain } from "../platform/environment.ts"
import { keysProgram } from "./keys-program.ts"

runMain(keysProgram)
