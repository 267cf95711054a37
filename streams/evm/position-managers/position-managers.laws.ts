import type { EventFields } from "../../event.ts"
import type { EventArgs, EventLaws, EventMeaning } from "../../venue-laws.ts"

/** A change of a token of the emitter that tells nothing else yet. */
const changed = (
  manager: string,
  { tokenId }: EventArgs,
  rest: Partial<EventFields<"PositionChanged">> & { readonly change: string }
): EventMeaning => ({
  kind: "PositionChanged",
  manager,
  tokenId: tokenId as bigint,
  pool: null,
  owner: null,
  recipient: null,
  tickLower: null,
  tickUpper: null,
  liquidity: null,
  amount0: null,
  amount1: null,
  ...rest
})

const lower = (address: unknown): string => (address as string).toLowerCase()

/** Liquidity and amounts, all of one sign. */
const flows = (sign: bigint, args: EventArgs, liquidity: string) => ({
  liquidity: sign * (args[liquidity] as bigint),
  amount0: sign * (args["amount0"] as bigint),
  amount1: sign * (args["amount1"] as bigint)
})

export const laws: EventLaws = {
  kind: "position-managers",
  meanings: {
    "event Collect(uint256 indexed tokenId, address recipient, uint256 amount0, uint256 amount1)": (
      args,
      emitter
    ) =>
      changed(emitter, args, {
        change: "collect",
        recipient: lower(args["recipient"]),
        amount0: -(args["amount0"] as bigint),
        amount1: -(args["amount1"] as bigint)
      }),
    "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)":
      (args, emitter) =>
        changed(emitter, args, { change: "increase", ...flows(1n, args, "liquidity") }),
    "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)":
      (args, emitter) =>
        changed(emitter, args, { change: "decrease", ...flows(-1n, args, "liquidity") }),
    "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidityDesired, uint128 actualLiquidity, uint256 amount0, uint256 amount1, address pool)":
      (args, emitter) =>
        changed(emitter, args, {
          change: "increase",
          pool: lower(args["pool"]),
          ...flows(1n, args, "actualLiquidity")
        }),
    "event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)": (
      args,
      emitter
    ) => changed(emitter, args, { change: "transfer", owner: lower(args["to"]) })
  }
}
