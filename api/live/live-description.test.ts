/** The streams' AsyncAPI document, as it is served. */

import { afterEach, expect, it } from "vitest"
import { LiveApi } from "../../test/support/live-api.ts"
import { CONTRACT_VERSION } from "../groups/changelog/contract-changes.ts"
import { allChannels } from "./channels/all.ts"

let live: LiveApi
afterEach(() => live.stop())

interface Referring {
  readonly $ref: string
}
interface Document {
  readonly asyncapi: string
  readonly info: { readonly version: string }
  readonly servers: {
    readonly [name: string]: { readonly variables: { readonly host: { readonly default: string } } }
  }
  readonly channels: {
    readonly [name: string]: {
      readonly address: string
      readonly messages: { readonly [name: string]: Referring }
    }
  }
  readonly operations: {
    readonly [name: string]: {
      readonly action: string
      readonly channel: Referring
      readonly messages: ReadonlyArray<Referring>
    }
  }
  readonly components: { readonly schemas: { readonly [name: string]: object } }
}

const refsIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, of]) =>
    name === "$ref" ? [String(of)] : refsIn(of)
  )
}

/** What a reference means within the document. */
const meant = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .map(part => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((value, part) => (value as { [name: string]: unknown })?.[part], document)

it("describes both ways, every frame and message, and refers to nothing that it lacks", async () => {
  live = await LiveApi.start()
  const answer = await fetch(`${live.api.url}/v1/asyncapi.json`)
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"])
  const document = (await answer.json()) as Document
  expect([document.asyncapi, document.info.version]).toEqual(["3.0.0", CONTRACT_VERSION])
  const refs = refsIn(document)
  expect(refs.filter(ref => !ref.startsWith("#/"))).toEqual([])
  expect(refs.filter(ref => meant(document, ref) === undefined)).toEqual([])
  const hosts = Object.values(document.servers).map(({ variables }) => variables.host.default)
  expect(hosts).toEqual([new URL(live.api.url).host, new URL(live.api.url).host])
  const { socket, events } = document.channels
  expect([socket?.address, events?.address]).toEqual([
    "/v1/ws/live",
    "/v1/stream/market?topic={topic}"
  ])
  const own = allChannels.flatMap(({ frames }) => Object.keys(frames))
  const answers = ["subscribed", "unsubscribed", "undo", "error", "pong"]
  const sent = ["hello", ...own, ...answers].toSorted()
  expect(Object.keys(events?.messages ?? {}).toSorted()).toEqual(sent)
  const asked = ["subscribe", "unsubscribe", "ping"]
  expect(Object.keys(socket?.messages ?? {}).toSorted()).toEqual([...sent, ...asked].toSorted())
  const actions = Object.values(document.operations).map(({ action, channel, messages }) => [
    action,
    channel.$ref,
    messages.length
  ])
  expect(actions).toEqual([
    ["receive", "#/channels/socket", asked.length],
    ["send", "#/channels/socket", sent.length],
    ["send", "#/channels/events", sent.length]
  ])
  for (const name of [...sent, ...asked]) {
    expect(Object.keys(document.components.schemas)).toContain(`message.${name}`)
  }
})
