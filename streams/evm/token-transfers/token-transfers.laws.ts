import type { EventLaws } from "../../venue-laws.ts"

const lower = (address: unknown): string => (address as string).toLowerCase()

export const laws: EventLaws = {
  kind: "token-transfers",
  meanings: {
    "event Transfer(address indexed from, address indexed to, uint256 value)": (args, emitter) => ({
      kind: "TransferSeen",
      token: emitter,
      from: lower(args["from"]),
      to: lower(args["to"]),
      amount: args["value"] as bigint
    })
  }
}
