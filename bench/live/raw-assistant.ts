/** The baseline of fan-out: uWebSockets publishing frames that it is given, and nothing else. */
import { Effect } from "effect"
import { listenUws } from "../../src/platform/uws.ts"
import { assist } from "../measure/assist.ts"
import { collect } from "../measure/collect.ts"
import { type Recorded, rawTopic } from "./topics.ts"

const decoder = new TextDecoder()

let publishFrame: (frame: Recorded) => void = () => {}
let batches: ReadonlyArray<ReadonlyArray<Recorded>> = []

const serve = () =>
  Effect.map(
    listenUws({
      host: "127.0.0.1",
      port: 0,
      configure: app => {
        app.ws("/*", {
          maxBackpressure: 64 * 1024 * 1024,
          idleTimeout: 120,
          message: (socket, message) => {
            const { channel, token } = JSON.parse(decoder.decode(message))
            socket.subscribe(rawTopic(channel, token))
            socket.send('{"type":"subscribed"}')
          }
        })
      }
    }),
    ({ app, port }) => {
      publishFrame = ({ topic, body }) => app.publish(topic, body)
      return { port }
    }
  )

/** Takes the frames of batches that are to be published. */
const take = (frames: ReadonlyArray<ReadonlyArray<Recorded>>) =>
  Effect.sync(() => {
    batches = frames
  })

/** Publishes the frames of a batch. */
const publish = (batch: number) =>
  Effect.sync(() => {
    for (const frame of batches[batch] ?? []) publishFrame(frame)
  })

assist({ serve, take, publish, collect })
