/** Empties a stream behind the engine's back, as a server does that lost what it had not written. */
import { jetstreamManager, type StreamConfig } from "@nats-io/jetstream"
import { connect } from "@nats-io/transport-node"
import { serversOf } from "../../src/platform/nats.ts"

/** Makes a stream anew, as it was configured but for `changes`. */
export const emptyStream = async (
  url: string,
  name: string,
  changes: Partial<StreamConfig> = {}
): Promise<void> => {
  const connection = await connect(serversOf(url))
  const { streams } = await jetstreamManager(connection)
  const { config } = await streams.info(name)
  await streams.delete(name)
  await streams.add({ ...config, ...changes })
  await connection.close()
}
