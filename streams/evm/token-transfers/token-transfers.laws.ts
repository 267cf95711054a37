import { ZERO_ADDRESS } from "../../../src/domain/address.ts"
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
      amount: args["value"] as bigint,
      wrap: null
    }),
    "event Deposit(address indexed dst, uint256 wad)": (args, emitter) => ({
      kind: "TransferSeen",
      token: emitter,
      from: ZERO_ADDRESS,
      to: lower(args["dst"]),
      amount: args["wad"] as bigint,
      wrap: 1
    }),
    "event Withdrawal(address indexed src, uint256 wad)": (args, emitter) => ({
      kind: "TransferSeen",
      token: emitter,
      from: lower(args["src"]),
      to: ZERO_ADDRESS,
      amount: args["wad"] as bigint,
      wrap: 1
    })
  }
}
