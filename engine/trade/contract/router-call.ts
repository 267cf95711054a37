/** Calldata of the router contract, from orders as plain values. */
import {
  decodeAbiParameters,
  encodeAbiParameters,
  encodeFunctionData,
  parseAbi,
  parseAbiParameters
} from "viem"
import {
  ADAPTER_NAMES,
  type Adapter,
  type AdapterName,
  dataOf,
  factsOfAdapter
} from "./adapters.ts"

type Hex = `0x${string}`

/** The zero address: the native unit, where a token is named. */
export const NATIVE: Hex = `0x${"00".repeat(20)}`

/** The whole of what the router holds, as a share. */
export const WHOLE = 10n ** 18n

/** What a leg sells: raw units, or a part, in 1e-18, of what is there when the leg begins. */
type Sold = { readonly amount: bigint } | { readonly share: bigint }

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

/** The first kind that an adapter's number stands for; undefined for numbers of none. */
const kindOf = (adapter: number): AdapterName | undefined =>
  ADAPTER_NAMES.find(name => factsOfAdapter(name).number === adapter)

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
  adapter: factsOfAdapter(leg.kind).number,
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
export const kindsOf = (legs: ReadonlyArray<EncodedLeg>): ReadonlyArray<AdapterName> =>
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
