/** A wallet of a test's own on a simulated chain that mines when it is told. */
import { encodeFunctionData, erc20Abi, parseAbi, parseEther, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { UnsignedCall } from "../../api/groups/trade/swap.api.ts"
import { NATIVE } from "../../engine/trade/contract/router-call.ts"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import type { Devchain } from "../../streams/sources/devchain/devchain.ts"
import { testContract } from "./test-pools.ts"

const WETH = "0x4200000000000000000000000000000000000006"

const POOLS = parseAbi([
  "function createPair(address a, address b) returns (address)",
  "function getPair(address a, address b) view returns (address)",
  "function mint(address to)",
  "function burn(address to)",
  "function deposit() payable"
])

/** A swap with its gas limit, an approval without one. */
type Sent = UnsignedCall & { readonly gas?: string }

interface Receipt {
  readonly status: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly contractAddress: Hex | null
}

export const postJson = async (url: string, body: unknown) => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

export class Taker {
  readonly account = privateKeyToAccount(`0x${"5a".repeat(32)}`)
  readonly address = this.account.address.toLowerCase() as Hex
  private readonly devchain: Devchain

  private constructor(devchain: Devchain) {
    this.devchain = devchain
  }

  /** The wallet with 5,000 native units. */
  static async on(devchain: Devchain): Promise<Taker> {
    const taker = new Taker(devchain)
    await taker.call("anvil_setBalance", [taker.address, toHex(parseEther("5000"))])
    return taker
  }

  /** A call of the chain's node. */
  async call<A>(method: string, params: ReadonlyArray<unknown>): Promise<A> {
    const { rpcUrl } = this.devchain
    const { body } = await postJson(rpcUrl, { jsonrpc: "2.0", id: 1, method, params })
    if (body.error !== undefined) throw new Error(`${method}: ${JSON.stringify(body.error)}`)
    return body.result
  }

  async balanceOf(token: string, holder: Hex = this.address): Promise<bigint> {
    if (token === NATIVE) return BigInt(await this.call<Hex>("eth_getBalance", [holder, "latest"]))
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [holder] })
    return BigInt(await this.call<Hex>("eth_call", [{ to: token, data }, "latest"]))
  }

  receiptOf(hash: Hex): Promise<Receipt> {
    return this.call<Receipt>("eth_getTransactionReceipt", [hash])
  }

  private async signed(
    call: { readonly to?: Hex; readonly data: Hex },
    value: bigint,
    gas: bigint
  ) {
    const nonce = Number(await this.call<Hex>("eth_getTransactionCount", [this.address, "pending"]))
    const signed = await this.account.signTransaction({
      ...{ chainId: this.devchain.chainId, nonce, ...call, value, gas },
      ...{ maxFeePerGas: parseEther("0.0000001"), maxPriorityFeePerGas: 1n }
    })
    return this.call<Hex>("eth_sendRawTransaction", [signed])
  }

  /** Signs and sends a transaction; returns its hash. */
  send({ to, data, value, gas }: Sent): Promise<Hex> {
    const call = { to: to as Hex, data: data as Hex }
    return this.signed(call, BigInt(value), BigInt(gas ?? 3_000_000))
  }

  /** A transaction that is mined at once; returns the contract that it made, or its hash. */
  async transact(to: Hex | undefined, data: Hex, value = 0n): Promise<Hex> {
    const hash = await this.signed({ ...(to && { to }), data }, value, 6_000_000n)
    await this.call("evm_mine", [])
    const { status, contractAddress } = await this.receiptOf(hash)
    if (status !== "0x1") throw new Error(`${hash} reverted`)
    return contractAddress ?? hash
  }

  /** A token of the test contracts, with a pair of 1,000,000 of it and 10 of the native unit. */
  async listed(name: string) {
    const contract = testContract(name)
    const token = await this.transact(undefined, contract.code())
    const { v2Factory } = this.devchain.contracts
    const amounts = [
      [token, 10n ** 24n],
      [WETH, parseEther("10")]
    ] as const
    await this.transact(token, contract.call("mint", this.address, 2n * 10n ** 24n))
    const deposit = encodeFunctionData({ abi: POOLS, functionName: "deposit" })
    await this.transact(WETH, deposit, amounts[1][1])
    const args = [token, WETH] as const
    const create = encodeFunctionData({ abi: POOLS, functionName: "createPair", args })
    await this.transact(v2Factory, create)
    const data = encodeFunctionData({ abi: POOLS, functionName: "getPair", args })
    const told = await this.call<Hex>("eth_call", [{ to: v2Factory, data }, "latest"])
    const pair = `0x${told.slice(26)}` as Hex
    for (const [one, amount] of amounts) await this.transfer(one, pair, amount)
    const mint = { abi: POOLS, functionName: "mint", args: [this.address] } as const
    await this.transact(pair, encodeFunctionData(mint))
    return { contract, token, pair }
  }

  /** Takes all out of a pair that is this wallet's alone. */
  async emptied(pair: Hex): Promise<void> {
    await this.transfer(pair, pair, await this.balanceOf(pair))
    const burn = { abi: POOLS, functionName: "burn", args: [this.address] } as const
    await this.transact(pair, encodeFunctionData(burn))
  }

  private transfer(token: Hex, to: Hex, amount: bigint): Promise<Hex> {
    const transfer = { abi: erc20Abi, functionName: "transfer", args: [to, amount] } as const
    return this.transact(token, encodeFunctionData(transfer))
  }
}
