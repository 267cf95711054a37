/** Gives routes how the streams are that engines on one log server share beside the lanes' logs. */
import { Context } from "effect"
import type { FollowedStream } from "../../../src/platform/follow-stream.ts"

export class FollowedStreams extends Context.Service<
  FollowedStreams,
  {
    readonly all: () => ReadonlyArray<FollowedStream>
  }
>()("swaptape/api/FollowedStreams") {}

/** What is wrong with them, in words. */
export const streamProblems = (streams: ReadonlyArray<FollowedStream>): ReadonlyArray<string> =>
  streams.flatMap(({ problem }) => (problem === null ? [] : [problem]))
