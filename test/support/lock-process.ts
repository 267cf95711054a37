/** A process that tries to lock a data folder, says how that went, and holds it until killed. */
import { Effect } from "effect"
import { lockDataFolder } from "../../src/platform/data-lock.ts"

const [, , path = ""] = process.argv
const say = (word: string) => Effect.sync(() => console.log(word))
const alive = setInterval(() => {}, 1000)

await Effect.runPromise(
  Effect.scoped(
    lockDataFolder(path).pipe(
      Effect.andThen(Effect.andThen(say("locked"), Effect.never)),
      Effect.catch(error => say(error._tag))
    )
  )
)
clearInterval(alive)
