/**
 * The live streams' own description, as AsyncAPI 3: what a client may say, and all frames, made of
 * the declarations that validate the one and document the other.
 */
import { allChannels } from "./channels/all.ts"
import { frameSchemas, SENT } from "./frame-schemas.ts"
import { ASKED } from "./message.ts"
import { LIVE_PATH, STREAM_PATH } from "./plain-request.ts"

const messagesOf = (names: ReadonlyArray<string>) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/messages/${name}` }]))

const operation = (
  action: "send" | "receive",
  channel: string,
  names: ReadonlyArray<string>,
  summary: string
) => ({
  action,
  channel: { $ref: `#/channels/${channel}` },
  summary,
  messages: names.map(name => ({ $ref: `#/channels/${channel}/messages/${name}` }))
})

const WORDS =
  "What subscriptions are, how readers resume and what becomes of slow ones is told in api/live/README.md. Channels: " +
  allChannels.map(({ name, summary }) => `\`${name}\` (${summary})`).join("; ")

/** Where the server listens; whoever comes through a proxy knows another address. */
const serverOf = (protocol: string, address: string) => ({
  host: "{host}",
  protocol,
  description: `\`${protocol}s\` where a proxy with TLS stands before it`,
  variables: {
    host: { default: address, description: "host and port that this document was read from" }
  }
})

const API_KEY = {
  type: "object",
  properties: { "X-API-Key": { type: "string", description: "may be left out" } }
}
const FORMAT = {
  type: "object",
  properties: { format: { type: "string", enum: ["json", "msgpack"], default: "json" } }
}

/**
 * @param version of the contract
 * @param address host and port at which the server listens
 */
export const liveDescription = (version: string, address: string) => {
  const { own, shared } = frameSchemas()
  const payloads = Object.fromEntries(
    Object.entries(own).map(([name, schema]) => [`message.${name}`, schema])
  )
  const sent = Object.keys(SENT)
  const asked = Object.keys(ASKED)
  const messages = [...sent, ...asked].map(name => [
    name,
    {
      name,
      contentType: "application/json",
      payload: { $ref: `#/components/schemas/message.${name}` }
    }
  ])
  return {
    asyncapi: "3.0.0",
    info: {
      title: "swaptape live streams",
      version,
      description: WORDS,
      license: { name: "MIT" }
    },
    defaultContentType: "application/json",
    servers: {
      socket: serverOf("ws", address),
      events: serverOf("http", address)
    },
    channels: {
      socket: {
        address: LIVE_PATH,
        servers: [{ $ref: "#/servers/socket" }],
        messages: messagesOf([...sent, ...asked]),
        bindings: { ws: { method: "GET", query: FORMAT, headers: API_KEY } }
      },
      events: {
        address: `${STREAM_PATH}?topic={topic}`,
        summary: "server-sent events; each `data` is a frame",
        servers: [{ $ref: "#/servers/events" }],
        parameters: {
          topic: {
            description:
              "a subscribe message: its channel, then its other fields as name=value; once for each topic",
            examples: ["trades,chain=base,token=0x4200000000000000000000000000000000000006"]
          }
        },
        messages: messagesOf(sent)
      }
    },
    operations: {
      hear: operation("receive", "socket", asked, "what a client may say"),
      tell: operation("send", "socket", sent, "frames over the socket"),
      tellEvents: operation("send", "events", sent, "frames as server-sent events")
    },
    components: {
      schemas: { ...shared, ...payloads },
      messages: Object.fromEntries(messages)
    }
  }
}
