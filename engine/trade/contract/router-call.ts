/** Calldata of the router contract, from orders as plain values. */
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters
} from "viem"

type Hex = `0x${string}`

/** The zero address: the native unit, where a token is named. */
export const NATIVE: Hex = `0x${"00".repeat(20)}`

/** The whole of what the router holds, as a share. */
export const WHOLE = 10n ** 18n

/** What a leg sells: raw units, or a part, in 1e-18, of what is there when the leg begins. */
type Sold = { readonly amount: bigint } | { readonly share: bigint }

/** The factory that has to know the pool; null where nobody asks. */
interface Known {
  readonly factory: Hex | null
}

/** Venue kinds with an adapter, and what it needs besides pool and tokens. */
export type Adapter =
  /** the pool is the wrapped native token, here and in `unwrap` */
  | { readonly kind: "wrap" | "unwrap" }
  /** fee in 1e-6 */
  | { readonly kind: "uniswap-v2"; readonly fee: number }
  | { readonly kind: "solidly" }
  | ({ readonly kind: "uniswap-v3" | "pancakeswap-v3"; readonly fee: number } & Known)
  | ({ readonly kind: "solidly-cl"; readonly tickSpacing: number } & Known)
  | ({ readonly kind: "algebra" } & Known)
  /** the pool is the PoolManager */
  | {
      readonly kind: "uniswap-v4"
      readonly fee: number
      readonly tickSpacing: number
      readonly hooks: Hex
      readonly hookData: Hex
    }
  /** places of the coins */
  | { readonly kind: "curve-stable" | "curve-crypto"; readonly from: number; readonly to: number }
  /** the pool is the vault, here and in `balancer-v3` */
  | { readonly kind: "balancer-v2"; readonly poolId: Hex }
  | { readonly kind: "balancer-v3"; readonly vaultPool: Hex }
  /** whether the pair's first token is sold: X, the base token, A */
  | {
      readonly kind: "liquidity-book" | "dodo" | "maverick-v2"
      readonly sellsFirst: boolean
    }

export type RouterLeg = Adapter &
  Sold & {
    readonly pool: Hex
    readonly tokenIn: Hex
    readonly tokenOut: Hex
  }

export interface RouterOrder {
  readonly tokenIn: Hex
  /** raw units; taken from the caller */
  readonly amountIn: bigint
  readonly tokenOut: Hex
  /** raw units that have to arrive at the recipient */
  readonly minimumOut: bigint
  readonly recipient: Hex
  /** Unix seconds */
  readonly deadline: bigint
  readonly legs: ReadonlyArray<RouterLeg>
}

/** A signature for Permit2 over the order's token and amount, the router being the spender. */
export interface SignedPermit {
  readonly nonce: bigint
  /** Unix seconds */
  readonly signedUntil: bigint
  readonly signature: Hex
}

/** The contract's functions and errors; a test holds them to what is compiled. */
export const routerAbi = parseAbi([
  "struct Leg { uint8 adapter; address pool; address tokenIn; address tokenOut; uint256 share; uint256 amount; bytes data; }",
  "struct Order { address tokenIn; uint256 amountIn; address tokenOut; uint256 minimumOut; address recipient; uint256 deadline; Leg[] legs; }",
  "constructor(address wrappedNative_, address permit2_, address poolManager_)",
  "function swap(Order order) payable returns (uint256 received)",
  "function swapWithPermit2(Order order, uint256 nonce, uint256 signedUntil, bytes signature) returns (uint256 received)",
  "function wrappedNative() view returns (address)",
  "function permit2() view returns (address)",
  "function poolManager() view returns (address)",
  "function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes)",
  "function pancakeV3SwapCallback(int256 owed0, int256 owed1, bytes)",
  "function algebraSwapCallback(int256 owed0, int256 owed1, bytes)",
  "function unlockCallback(bytes data) returns (bytes)",
  "function balancerV3Callback(address pool, address tokenOut)",
  "receive() external payable",
  "error DeadlinePassed(uint256 deadline)",
  "error TooLittleReceived(uint256 received, uint256 minimum)",
  "error StrangersCallback(address caller)",
  "error PoolAsksTooMuch(uint256 asked, uint256 offered)",
  "error Reentered()",
  "error BadLeg(uint256 index)",
  "error UnknownPool(address pool, address factory)",
  "error TransferFailed(address token, bytes reason)",
  "error WrongNativeAmount(uint256 sent, uint256 needed)",
  "error BadRecipient(address recipient)",
  "error SameToken(address token)",
  "error StrangersPayment(address sender)"
])

/** Numbers of the adapters in `RouterTypes.sol`. */
const ADAPTERS: { readonly [K in Adapter["kind"]]: number } = {
  wrap: 0,
  unwrap: 1,
  "uniswap-v2": 2,
  solidly: 3,
  "uniswap-v3": 4,
  // its pools differ in the name of their callback alone
  "pancakeswap-v3": 4,
  "solidly-cl": 5,
  algebra: 6,
  "uniswap-v4": 7,
  "curve-stable": 8,
  "curve-crypto": 9,
  "balancer-v2": 10,
  "balancer-v3": 11,
  "liquidity-book": 12,
  dodo: 13,
  "maverick-v2": 14
}

const KINDS = Object.keys(ADAPTERS) as ReadonlyArray<Adapter["kind"]>

/** The first kind that an adapter's number stands for; undefined for numbers of none. */
const kindOf = (adapter: number): Adapter["kind"] | undefined =>
  KINDS.find(kind => ADAPTERS[kind] === adapter)

const words = (types: ReadonlyArray<string>, values: ReadonlyArray<unknown>): Hex =>
  encodeAbiParameters(
    types.map(type => ({ type })),
    values
  )

/** Asks the factory for the pool of the leg's tokens and this number. */
const known = (factory: Hex | null, number: number): Hex =>
  factory === null ? "0x" : words(["address", "uint24"], [factory, number])

const dataOf = (adapter: Adapter): Hex => {
  switch (adapter.kind) {
    case "wrap":
    case "unwrap":
    case "solidly":
      return "0x"
    case "uniswap-v2":
      return words(["uint256"], [BigInt(adapter.fee)])
    case "uniswap-v3":
    case "pancakeswap-v3":
      return known(adapter.factory, adapter.fee)
    case "solidly-cl":
      return known(adapter.factory, adapter.tickSpacing)
    case "algebra":
      return known(adapter.factory, 0)
    case "uniswap-v4": {
      const { fee, tickSpacing, hooks, hookData } = adapter
      const types = ["uint24", "int24", "address", "bytes"]
      return words(types, [fee, tickSpacing, hooks, hookData])
    }
    case "curve-stable":
    case "curve-crypto":
      return words(["uint256", "uint256"], [BigInt(adapter.from), BigInt(adapter.to)])
    case "balancer-v2":
      return words(["bytes32"], [adapter.poolId])
    case "balancer-v3":
      return words(["address"], [adapter.vaultPool])
    case "liquidity-book":
    case "dodo":
    case "maverick-v2":
      return words(["bool"], [adapter.sellsFirst])
  }
}

/** A leg as the contract takes it. */
export interface EncodedLeg {
  readonly adapter: number
  readonly pool: Hex
  readonly tokenIn: Hex
  readonly tokenOut: Hex
  readonly share: bigint
  readonly amount: bigint
  readonly data: Hex
}

export const encodedLeg = (leg: RouterLeg): EncodedLeg => ({
  adapter: ADAPTERS[leg.kind],
  pool: leg.pool,
  tokenIn: leg.tokenIn,
  tokenOut: leg.tokenOut,
  share: "share" in leg ? leg.share : 0n,
  amount: "amount" in leg ? leg.amount : 0n,
  data: dataOf(leg)
})

const LEGS = parseAbiParameters(
  "(uint8 adapter, address pool, address tokenIn, address tokenOut, uint256 share, uint256 amount, bytes data)[]"
)

/** Legs as one text, for whoever keeps them until they are executed. */
export const legsToHex = (legs: ReadonlyArray<EncodedLeg>): Hex => encodeAbiParameters(LEGS, [legs])

/** The legs in such a text. Throws where it is none. */
export const legsFromHex = (text: Hex): ReadonlyArray<EncodedLeg> =>
  decodeAbiParameters(LEGS, text)[0]

/** Kinds of encoded legs: of those that share an adapter the first; none of numbers of no kind. */
export const kindsOf = (legs: ReadonlyArray<EncodedLeg>): ReadonlyArray<Adapter["kind"]> =>
  legs.flatMap(({ adapter }) => kindOf(adapter) ?? [])

export interface RouterCall {
  readonly data: Hex
  /** of the native unit, sent along with the call */
  readonly value: bigint
}

/** The call that executes encoded legs for its sender; with a permit it needs no allowance. */
export const encodedCall = (
  order: Omit<RouterOrder, "legs"> & { readonly legs: ReadonlyArray<EncodedLeg> },
  permit: SignedPermit | null
): RouterCall => {
  const value = order.tokenIn === NATIVE ? order.amountIn : 0n
  if (permit === null) {
    const data = encodeFunctionData({ abi: routerAbi, functionName: "swap", args: [order] })
    return { data, value }
  }
  const { nonce, signedUntil, signature } = permit
  const args = [order, nonce, signedUntil, signature] as const
  const data = encodeFunctionData({ abi: routerAbi, functionName: "swapWithPermit2", args })
  return { data, value }
}

/** The call that executes an order for its sender; with a permit it needs no allowance. */
export const routerCall = (order: RouterOrder, permit: SignedPermit | null): RouterCall =>
  encodedCall({ ...order, legs: order.legs.map(encodedLeg) }, permit)
