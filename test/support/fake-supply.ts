/** A token on a scripted chain whose supply follows from its transfers, block by block. */
import { encodeAbiParameters, type Hex, parseAbiParameters, toFunctionSelector } from "viem"
import type { FakeChain, FakeTx } from "./fake-chain.ts"
import { transferLog } from "./fake-logs.ts"

const NOBODY = `0x${"0".repeat(40)}` as const
const HOLDER = `0x${"77".repeat(20)}` as const

const word = (type: string, value: unknown): Hex =>
  encodeAbiParameters(parseAbiParameters(type), [value] as never)

const addressOf = (topic: string | undefined): string => `0x${(topic ?? "").slice(-40)}`

/** What all mints and burns up to a block leave, as the chain is now. */
export const supplyAt = (chain: FakeChain, token: Hex, block: number): bigint =>
  chain.blocks
    .slice(0, block + 1)
    .flatMap(({ txs }) => txs.flatMap(({ logs }) => logs))
    .filter(log => log.address === token)
    .reduce((sum, { topics, data }) => {
      const [made, gone] = [addressOf(topics[1]) === NOBODY, addressOf(topics[2]) === NOBODY]
      return sum + (made ? BigInt(data) : 0n) - (gone ? BigInt(data) : 0n)
    }, 0n)

/** Puts the token's contract on the chain; `started` is told of each reading of its supply. */
export const deployMintable = (
  chain: FakeChain,
  token: Hex,
  started: (block: number) => void = () => undefined
): void => {
  chain.contracts.set(token, {
    [toFunctionSelector("symbol()")]: word("string", "MINT"),
    [toFunctionSelector("name()")]: word("string", "Mintable"),
    [toFunctionSelector("decimals()")]: word("uint8", 6),
    [toFunctionSelector("totalSupply()")]: block => {
      started(block)
      return word("uint256", supplyAt(chain, token, block))
    }
  })
}

const transaction = (token: Hex, from: Hex, to: Hex, amount: bigint): FakeTx => ({
  from: HOLDER,
  to: token,
  logs: [transferLog(token, from, to, amount)]
})

export const mint = (token: Hex, amount: bigint): FakeTx =>
  transaction(token, NOBODY, HOLDER, amount)
export const burn = (token: Hex, amount: bigint): FakeTx =>
  transaction(token, HOLDER, NOBODY, amount)
export const move = (token: Hex, amount: bigint): FakeTx =>
  transaction(token, HOLDER, `0x${"78".repeat(20)}`, amount)
