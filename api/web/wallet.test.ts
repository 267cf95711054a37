import { describe, expect, it } from "vitest"
import type { FoundWallet, WalletProvider } from "./types.d.ts"
import { connectWallet, findWallets } from "./wallet.js"

const ACCOUNT = `0x${"Ab".repeat(20)}`
const HASH = `0x${"12".repeat(32)}`
const CALL = { chainId: 8453, from: ACCOUNT, to: ACCOUNT, data: "0x01", value: "1000" }

/** A wallet that answers as told, and notes what it is asked. */
const fakeWallet = (answers: Record<string, unknown>) => {
  const asked: Array<readonly [string, ReadonlyArray<unknown>]> = []
  const listeners = new Map<string, (value: unknown) => void>()
  const provider: WalletProvider = {
    request: async ({ method, params = [] }) => {
      asked.push([method, params])
      const answer = answers[method]
      if (answer instanceof Error) throw answer
      return answer
    },
    on: (event, listener) => listeners.set(event, listener),
    removeListener: event => listeners.delete(event)
  }
  const tell = (event: string, value: unknown) => listeners.get(event)?.(value)
  return { provider, asked, tell, answers, listeners }
}

const connected = async (answers: Record<string, unknown> = {}) => {
  const usual = { eth_requestAccounts: [ACCOUNT], eth_chainId: "0x2105", ...answers }
  const fake = fakeWallet(usual)
  const changes: Array<unknown> = []
  const wallet = await connectWallet({ name: "W", provider: fake.provider }, told =>
    changes.push([told.account, told.chainId])
  )
  return { ...fake, wallet, changes }
}

describe("finding wallets", () => {
  const browserWith = (ethereum?: unknown) =>
    Object.assign(new EventTarget(), { ethereum }) as unknown as Window
  const announce = (browser: Window, detail: unknown) =>
    browser.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }))

  it("lists those that announce themselves, each once, by a clean name", () => {
    const browser = browserWith()
    const [one, other] = [fakeWallet({}), fakeWallet({})]
    browser.addEventListener("eip6963:requestProvider", () =>
      announce(browser, { info: { name: "One\u202e <b>" }, provider: one.provider })
    )
    const lists: Array<ReadonlyArray<FoundWallet>> = []
    findWallets(browser, wallets => lists.push(wallets))
    announce(browser, { info: { name: "One again" }, provider: one.provider })
    announce(browser, { info: {}, provider: other.provider })
    for (const junk of [null, {}, { provider: {} }, { provider: { request: 1 } }]) {
      announce(browser, junk)
    }
    expect(lists.map(list => list.map(({ name }) => name))).toEqual([
      ["One <b>"],
      ["One <b>", "Wallet"]
    ])
  })

  it("takes window.ethereum where none announces itself", () => {
    const { provider } = fakeWallet({})
    const lists: Array<ReadonlyArray<FoundWallet>> = []
    findWallets(browserWith(provider), wallets => lists.push(wallets))
    findWallets(browserWith({}), wallets => lists.push(wallets))
    findWallets(browserWith(), wallets => lists.push(wallets))
    expect(lists).toEqual([[{ name: "Browser wallet", provider }]])
  })
})

describe("a connected wallet", () => {
  it("tells its account and chain, and when they change", async () => {
    const { wallet, tell, changes, listeners } = await connected()
    expect([wallet.account, wallet.chainId]).toEqual([ACCOUNT.toLowerCase(), 8453])
    tell("chainChanged", "0x1")
    tell("accountsChanged", ["nonsense"])
    tell("accountsChanged", [ACCOUNT])
    tell("disconnect", {})
    expect(changes).toEqual([
      [ACCOUNT.toLowerCase(), 1],
      [null, 1],
      [ACCOUNT.toLowerCase(), 1],
      [null, null]
    ])
    wallet.leave()
    expect(listeners.size).toBe(0)
  })

  it("must show an account", async () => {
    await expect(connected({ eth_requestAccounts: [] })).rejects.toThrow("it shows no account")
    await expect(connected({ eth_requestAccounts: ["x"] })).rejects.toThrow("it shows no account")
  })

  it("sends a transaction on its chain, and on no other", async () => {
    const { wallet, asked, answers } = await connected({ eth_sendTransaction: HASH })
    expect(await wallet.send(CALL)).toBe(HASH)
    const sent = { from: ACCOUNT, to: ACCOUNT, data: "0x01", value: "0x3e8", chainId: "0x2105" }
    expect(asked.at(-1)).toEqual(["eth_sendTransaction", [sent]])
    await wallet.send({ ...CALL, gas: "250000" })
    expect(asked.at(-1)).toEqual(["eth_sendTransaction", [{ ...sent, gas: "0x3d090" }]])
    answers["eth_chainId"] = "0x1"
    await expect(wallet.send(CALL)).rejects.toThrow(
      "it is on chain 1, the transaction is of chain 8453"
    )
    expect(wallet.chainId).toBe(1)
    expect(asked.at(-1)).toEqual(["eth_chainId", []])
  })

  it("tells what the account has of a token or of the native unit, and what gas costs", async () => {
    const word = `0x${"5".padStart(64, "0")}`
    const told = { eth_getBalance: "0x3e8", eth_call: word, eth_gasPrice: "0x7" }
    const { wallet, asked, answers } = await connected(told)
    const account = ACCOUNT.toLowerCase()
    const token = `0x${"34".repeat(20)}`
    expect(await wallet.balance(null)).toBe(1000n)
    expect(asked.at(-1)).toEqual(["eth_getBalance", [account, "latest"]])
    expect(await wallet.balance(token)).toBe(5n)
    const data = `0x70a08231${account.slice(2).padStart(64, "0")}`
    const call = { from: account, to: token, data, value: "0x0" }
    expect(asked.at(-1)).toEqual(["eth_call", [call, "latest"]])
    expect(await wallet.gasPrice()).toBe(7n)
    for (const junk of ["0x", null, 5, `${word}00`, "<b>"]) {
      answers["eth_call"] = answers["eth_gasPrice"] = junk
      await expect(wallet.balance(token)).rejects.toThrow("it told no number")
      await expect(wallet.gasPrice()).rejects.toThrow("it told no number")
    }
  })

  it("is not believed without a hash", async () => {
    const { wallet } = await connected({ eth_sendTransaction: "<img>" })
    await expect(wallet.send(CALL)).rejects.toThrow("it gave no transaction hash")
  })

  it("is switched to another chain", async () => {
    const { wallet, asked, answers } = await connected({ wallet_switchEthereumChain: null })
    answers["eth_chainId"] = "0x13b2"
    await wallet.switchTo(5042)
    expect(asked.at(-2)).toEqual(["wallet_switchEthereumChain", [{ chainId: "0x13b2" }]])
    expect(wallet.chainId).toBe(5042)
  })

  it("tells what became of a transaction", async () => {
    const { wallet, answers } = await connected({ eth_getTransactionReceipt: null })
    expect(await wallet.receipt(HASH)).toBeNull()
    answers["eth_getTransactionReceipt"] = { status: "0x1", blockNumber: "0x10" }
    expect(await wallet.receipt(HASH)).toEqual({ status: "succeeded", block: 16 })
    answers["eth_getTransactionReceipt"] = { status: "0x0", blockNumber: "0x11" }
    expect(await wallet.receipt(HASH)).toEqual({ status: "reverted", block: 17 })
    const block = { blockNumber: "0x11" }
    const junk = [{}, "<b>", 7, block, { ...block, status: "0x2" }, { ...block, status: "" }]
    for (const answer of [...junk, { status: "0x1" }, { status: "0x0", blockNumber: "-1" }]) {
      answers["eth_getTransactionReceipt"] = answer
      expect(await wallet.receipt(HASH)).toBeNull()
    }
  })

  it("is left, even where it does not let go", async () => {
    const { wallet, provider, tell, changes } = await connected()
    Object.assign(provider, {
      removeListener: () => {
        throw new Error("stay")
      }
    })
    wallet.leave()
    tell("chainChanged", "0x1")
    expect(changes).toEqual([])
  })
})
