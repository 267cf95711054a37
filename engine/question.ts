/**
 * A question to a lane and its answer, as they go between threads. Answers are JSON in bytes,
 * encoded by the lane's thread, or by a replica that has all that a query needs.
 */

export type QueryParams = { readonly [name: string]: string | number | boolean | null }

/** A read, answered by a projection's query of that name. */
export interface QueryRequest {
  readonly name: string
  readonly params: QueryParams
  /** seconds after which the answer is not waited for any more, where it is not the usual time */
  readonly patienceSeconds?: number
}

/** A query's refusal, one of the codes of the spec's part 7. */
export interface QueryRefusal {
  readonly status: 400 | 404 | 410 | 503
  readonly code: string
  readonly message: string
}

export type QueryAnswer =
  | {
      readonly ok: true
      /** the log position the answer reflects */
      readonly seq: number
      readonly body: Uint8Array
    }
  | { readonly ok: false; readonly seq: number; readonly refusal: QueryRefusal }
