/**
 * A wallet for the page under test, as an extension would bring it: EIP-1193, announced by EIP-6963.
 * It holds no key: what it is asked it forwards to a node that signs for the account.
 */
import type { Page } from "playwright-core"

interface Asked {
  readonly method: string
  readonly params?: ReadonlyArray<unknown>
}

export interface TestWallet {
  /** the chain that it says it is on; the page may have it switch to those it knows */
  chainId: number
  /** whether it refuses what is asked of its owner */
  refuses: boolean
  /** methods that it was asked, in order */
  readonly asked: Array<string>
}

interface TestWalletOptions {
  readonly name: string
  readonly account: string
  readonly chainId: number
  readonly knownChains: ReadonlyArray<number>
  /** the node's answer to a call; throws what the node refuses */
  readonly node: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
}

/** Methods that a wallet asks its owner about. */
const OWNERS: ReadonlySet<string> = new Set([
  "eth_requestAccounts",
  "eth_sendTransaction",
  "wallet_switchEthereumChain"
])
const REFUSED = { code: 4001, message: "User rejected the request." }
const UNKNOWN_CHAIN = { code: 4902, message: "Unrecognized chain ID." }

/**
 * Gas for a transaction that has no limit, as wallets give it: what the node estimates for this moment is too little
 * a block later, when pools write what they only do once a block.
 */
const gasFor = async ({ node }: TestWalletOptions, call: unknown): Promise<string> => {
  const estimate = BigInt(String(await node("eth_estimateGas", [call])))
  return `0x${((estimate * 3n) / 2n).toString(16)}`
}

type Answer = { readonly result: unknown } | { readonly error: object }

const answerOf = async (
  wallet: TestWallet,
  options: TestWalletOptions,
  { method, params = [] }: Asked
): Promise<Answer> => {
  const { account, knownChains, node } = options
  wallet.asked.push(method)
  if (wallet.refuses && OWNERS.has(method)) return { error: REFUSED }
  switch (method) {
    case "eth_requestAccounts":
    case "eth_accounts":
      return { result: [account] }
    case "eth_chainId":
      return { result: `0x${wallet.chainId.toString(16)}` }
    case "wallet_switchEthereumChain": {
      const wanted = Number((params[0] as { readonly chainId: string }).chainId)
      if (!knownChains.includes(wanted)) return { error: UNKNOWN_CHAIN }
      wallet.chainId = wanted
      return { result: null }
    }
    case "eth_sendTransaction": {
      const call = params[0] as { readonly gas?: string }
      const gas = call.gas ?? (await gasFor(options, call))
      return { result: await options.node(method, [{ ...call, gas }]) }
    }
    default:
      return { result: await node(method, params) }
  }
}

/** Puts a wallet into a page that is not loaded yet. */
export const putWallet = async (page: Page, options: TestWalletOptions): Promise<TestWallet> => {
  const wallet: TestWallet = { chainId: options.chainId, refuses: false, asked: [] }
  await page.exposeFunction("askTestWallet", (asked: Asked) => answerOf(wallet, options, asked))
  await page.addInitScript(name => {
    const ask = (asked: unknown) =>
      (window as unknown as { askTestWallet: (asked: unknown) => Promise<Answer> })
        .askTestWallet(asked)
        .then(answer => {
          if ("error" in answer) throw answer.error
          return answer.result
        })
    const detail = Object.freeze({
      info: { uuid: "test", name, icon: "data:,", rdns: "test" },
      provider: { request: ask }
    })
    const announce = () =>
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))
    window.addEventListener("eip6963:requestProvider", announce)
    announce()
  }, options.name)
  return wallet
}
