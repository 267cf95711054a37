/** The page's files as answers: `api/web` says which there are, this reads them once at start. */
import { readFile } from "node:fs/promises"
import { Data, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { lastingResponse } from "../answering.ts"
import { pageHeaders, type StaticFile, staticFiles } from "../web/static-files.ts"

/** A file of the page cannot be read. */
export class StaticFileError extends Data.TaggedError("StaticFileError")<{
  readonly message: string
  readonly cause: unknown
}> {}

const read = (file: StaticFile) =>
  Effect.tryPromise({
    try: () => readFile(file.file),
    catch: cause => new StaticFileError({ message: `cannot read ${file.file.pathname}`, cause })
  })

/** Routes for every file of the page. */
export const staticRoutes = (version: string) =>
  HttpRouter.use(router =>
    Effect.forEach(
      staticFiles,
      file =>
        Effect.flatMap(read(file), body => {
          const response = lastingResponse(version, body, file.contentType, pageHeaders)
          return router.add("GET", file.path as `/${string}`, response)
        }),
      { discard: true }
    )
  )
