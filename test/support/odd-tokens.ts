/** Tokens as they should not be, compiled when a test asks for them, on an Anvil of its own. */
import { encodeAbiParameters, encodeFunctionData, parseAbi } from "viem"
import type { Hex } from "../../src/platform/anvil-rpc.ts"
import { creationCode } from "../../streams/sources/devchain/contract-code.ts"
import { openAnvilChain } from "./anvil-chain.ts"
import { compiledOnce } from "./compiled-once.ts"

const SOURCE = `
pragma solidity ^0.8.20;

contract Coin {
  uint256 public totalSupply;
  uint256 public fee;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);

  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  /// hundredths of what is transferred that go to this contract
  function setFee(uint256 percent) external { fee = percent; }

  function transfer(address to, uint256 value) external returns (bool) {
    uint256 part = value * fee / 100;
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value - part;
    emit Transfer(msg.sender, to, value - part);
    if (part > 0) {
      balanceOf[address(this)] += part;
      emit Transfer(msg.sender, address(this), part);
    }
    return true;
  }
}

contract Plain is Coin {
  string public symbol = "PLN";
  string public name = "Plain";
  uint8 public constant decimals = 18;
}

contract Whole is Coin {
  bytes32 public constant symbol = "WHL";
  bytes32 public constant name = "Whole units only";
  uint8 public constant decimals = 0;
}

contract Absurd is Coin {
  uint256 public constant decimals = 1 << 200;
  function symbol() external pure returns (string memory) { revert("nameless"); }
  function name() external pure returns (uint256) { return 7; }
}

contract Large is Coin {
  string public symbol = "LRG";
  uint256 public constant decimals = 256;
}

/// Balances live in the proxy; what it says of itself is its code's at the time.
contract Upgradable is Coin {
  address public code;
  function upgrade(address to) external { code = to; }
  fallback() external {
    (bool ok, bytes memory result) = code.delegatecall(msg.data);
    require(ok);
    assembly { return(add(result, 32), mload(result)) }
  }
}

/// Takes a tenth of each transfer, and logs none of it.
contract Skimming {
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  event Transfer(address indexed from, address indexed to, uint256 value);

  function mint(address to, uint256 value) external {
    totalSupply += value;
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) external returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value - value / 10;
    balanceOf[address(this)] += value / 10;
    emit Transfer(msg.sender, to, value);
    return true;
  }
}

/// Moves what everybody has by a factor, and logs nothing; its supply stays what was minted.
contract Rebasing is Coin {
  uint256 public factor = 100;
  function rebase(uint256 percent) external { factor = percent; }
}

contract RebasingFace {
  Rebasing immutable inner = new Rebasing();
  event Transfer(address indexed from, address indexed to, uint256 value);
  function mint(address to, uint256 value) external {
    inner.mint(to, value);
    emit Transfer(address(0), to, value);
  }
  function setFee(uint256 percent) external { inner.rebase(percent); }
  function totalSupply() external view returns (uint256) { return inner.totalSupply(); }
  function balanceOf(address who) external view returns (uint256) {
    return inner.balanceOf(who) * inner.factor() / 100;
  }
}

/// Does not say what anybody has.
contract Mute {
  uint256 public totalSupply;
  event Transfer(address indexed from, address indexed to, uint256 value);
  function mint(address to, uint256 value) external {
    totalSupply += value;
    emit Transfer(address(0), to, value);
  }
}

contract CodeOne { }
contract CodeTwo {
  function symbol() external pure returns (string memory) { return "UPG"; }
  function name() external pure returns (string memory) { return "Upgraded"; }
  function decimals() external pure returns (uint8) { return 9; }
}
`

const abi = parseAbi([
  "function createPair(address a, address b) returns (address)",
  "function getPair(address a, address b) view returns (address)",
  "function mint(address to) returns (uint256)",
  "function swap(uint256 out0, uint256 out1, address to, bytes data)",
  "function token0() view returns (address)"
])
const coinAbi = parseAbi([
  "function mint(address to, uint256 value)",
  "function transfer(address to, uint256 value) returns (bool)",
  "function setFee(uint256 percent)",
  "function upgrade(address to)"
])

export type OddMarket = Awaited<ReturnType<typeof openOddMarket>>

/** An Anvil with a Uniswap V2 factory; the clock stands still but for `mine`. */
export const openOddMarket = async () => {
  const contract = compiledOnce({ tokens: { content: SOURCE } })
  const { url, owner, send, mine, deploy, head, call, close } = await openAnvilChain()
  const coin = (to: Hex, functionName: "mint" | "transfer", args: readonly [Hex, bigint]) =>
    send(to, encodeFunctionData({ abi: coinAbi, functionName, args }))
  const factory = await deploy(
    `${creationCode("UniswapV2Factory")}${encodeAbiParameters([{ type: "address" }], [owner]).slice(2)}`
  )
  const quote = await deploy(contract("Plain").bytecode)
  await mine()
  const callPair = async (data: Hex, to: Hex): Promise<Hex> =>
    `0x${(await call(to, data)).slice(26)}`
  /** A token with a pool against the plain one, that holds a million raw units of each. */
  const list = async (token: Hex): Promise<Hex> => {
    const args = [token, quote] as const
    await send(factory, encodeFunctionData({ abi, functionName: "createPair", args }))
    await mine()
    const data = encodeFunctionData({ abi, functionName: "getPair", args })
    const pair = await callPair(data, factory)
    for (const one of args) {
      await coin(one, "mint", [pair, 1_000_000n])
      await coin(one, "mint", [owner, 10n ** 9n])
    }
    await send(pair, encodeFunctionData({ abi, functionName: "mint", args: [owner] }))
    await mine()
    return pair
  }
  return {
    url,
    owner: owner.toLowerCase(),
    quote,
    factory,
    head,
    deploy: (name: string) => deploy(contract(name).bytecode),
    list,
    mine,
    mint: (token: Hex, value: bigint, to = owner as Hex) => coin(token, "mint", [to, value]),
    give: (token: Hex, to: Hex, value: bigint) => coin(token, "transfer", [to, value]),
    setFee: (token: Hex, percent: bigint) =>
      send(token, encodeFunctionData({ abi: coinAbi, functionName: "setFee", args: [percent] })),
    upgrade: (proxy: Hex, code: Hex) =>
      send(proxy, encodeFunctionData({ abi: coinAbi, functionName: "upgrade", args: [code] })),
    /** Buys a thousand raw units of the token, in a block so many seconds later. */
    buy: async (token: Hex, pair: Hex, seconds = 2) => {
      await coin(quote, "transfer", [pair, 2_000n])
      const isFirst = BigInt(token) < BigInt(quote)
      const args = [isFirst ? 1_000n : 0n, isFirst ? 0n : 1_000n, owner as Hex, "0x"] as const
      await send(pair, encodeFunctionData({ abi, functionName: "swap", args }))
      await mine(seconds)
    },
    close
  }
}
