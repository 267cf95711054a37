/** Empties a stream behind the engine's back, as a server does that lost what it had not written. */
import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { expect } from "vitest"
import { deleteStream } from "../../src/platform/jetstream.ts"
import { serversOf } from "../../src/platform/nats.ts"

/** Makes a stream anew, as it was configured but for `changes`. */
export const emptyStream = async (
  url: string,
  name: string,
  changes: Partial<StreamConfig> = {}
): Promise<void> => {
  const connection = await connect(serversOf(url))
  const manager = await jetstreamManager(connection)
  const { config } = await manager.streams.info(name)
  await deleteStream(manager, name)
  // the server may still be removing the files of the one that is deleted, and refuses it until then
  const problem = () =>
    manager.streams.add({ ...config, ...changes }).then(
      () => null,
      (error: Error) => error.message
    )
  await expect.poll(problem).toBe(null)
  await connection.close()
}
