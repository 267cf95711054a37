// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BareToken} from "./Token.sol";

/// Pools for tests, of venues whose contracts are not at hand: their interface and their way of
/// being paid are the real ones, their price is a number. The native unit is the zero address.
abstract contract TestPool {
    address public immutable token0;
    address public immutable token1;
    /// of token 0 in token 1, in 1e-18
    uint256 public immutable price;
    uint256 internal known0;
    uint256 internal known1;

    constructor(address token0_, address token1_, uint256 price_) {
        (token0, token1, price) = (token0_, token1_, price_);
    }

    receive() external payable {}

    /// Counts what was sent as the pool's.
    function sync() public {
        (known0, known1) = (_held(token0), _held(token1));
    }

    function quote(bool isZeroIn, uint256 amount) public view returns (uint256) {
        uint256 counted = amount * 997 / 1000;
        return isZeroIn ? counted * price / 1e18 : counted * 1e18 / price;
    }

    function _held(address token) internal view returns (uint256) {
        if (token == address(0)) return address(this).balance;
        return BareToken(token).balanceOf(address(this));
    }

    function _send(address token, address to, uint256 value) internal {
        if (token == address(0)) {
            (bool sent,) = to.call{value: value}("");
            require(sent, "native");
        } else {
            (bool sent,) = token.call(abi.encodeCall(BareToken.transfer, (to, value)));
            require(sent, "token");
        }
    }

    /// Also of tokens that answer nothing.
    function _pull(address token, address from, uint256 value) internal {
        bytes memory data = abi.encodeCall(BareToken.transferFrom, (from, address(this), value));
        (bool sent,) = token.call(data);
        require(sent, "token");
    }

    /// What came in since the last trade.
    function _arrived(bool isZeroIn) internal view returns (uint256) {
        return isZeroIn ? _held(token0) - known0 : _held(token1) - known1;
    }

    function _payOut(bool isZeroIn, uint256 amount, address to) internal returns (uint256 bought) {
        require(amount > 0, "nothing came in");
        bought = quote(isZeroIn, amount);
        _send(isZeroIn ? token1 : token0, to, bought);
        sync();
    }
}

/// Curve's way: takes what it was allowed.
contract TestCurvePool is TestPool {
    constructor(address a, address b, uint256 p) TestPool(a, b, p) {}

    function exchange(int128 i, int128 j, uint256 sold, uint256 minimum) external payable {
        _exchange(uint128(i), uint128(j), sold, minimum);
    }

    function exchange(uint256 i, uint256 j, uint256 sold, uint256 minimum)
        external
        payable
        returns (uint256)
    {
        return _exchange(i, j, sold, minimum);
    }

    function _exchange(uint256 i, uint256 j, uint256 sold, uint256 minimum)
        private
        returns (uint256 bought)
    {
        require(i < 2 && j < 2 && i != j, "coins");
        address coin = i == 0 ? token0 : token1;
        if (coin == address(0)) require(msg.value == sold, "value");
        else _pull(coin, msg.sender, sold);
        bought = _payOut(i == 0, sold, msg.sender);
        require(bought >= minimum, "minimum");
    }
}

/// Takes less than it was allowed, and leaves the rest of the allowance.
contract TestModestCurvePool is TestPool {
    constructor(address a, address b, uint256 p) TestPool(a, b, p) {}

    function exchange(int128 i, int128, uint256 sold, uint256) external payable {
        address coin = i == 0 ? token0 : token1;
        _pull(coin, msg.sender, sold / 2);
        _payOut(i == 0, sold / 2, msg.sender);
    }
}

contract TestBinPair is TestPool {
    constructor(address x, address y, uint256 p) TestPool(x, y, p) {}

    function swap(bool forY, address to) external returns (bytes32) {
        return bytes32(_payOut(forY, _arrived(forY), to));
    }
}

contract TestDodoPool is TestPool {
    constructor(address base, address quote_, uint256 p) TestPool(base, quote_, p) {}

    function sellBase(address to) external returns (uint256) {
        return _payOut(true, _arrived(true), to);
    }

    function sellQuote(address to) external returns (uint256) {
        return _payOut(false, _arrived(false), to);
    }
}

contract TestMaverickPool is TestPool {
    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    constructor(address a, address b, uint256 p) TestPool(a, b, p) {}

    function swap(address to, SwapParams calldata params, bytes calldata data)
        external
        returns (uint256 amountIn, uint256 amountOut)
    {
        require(data.length == 0 && !params.exactOutput, "exact input, paid first");
        require(params.tickLimit == (params.tokenAIn ? type(int32).max : type(int32).min), "limit");
        require(_arrived(params.tokenAIn) >= params.amount, "paid too little");
        return (params.amount, _payOut(params.tokenAIn, params.amount, to));
    }
}

/// Solidly's volatile pair: the fee leaves at once, the product of what is left may not fall.
contract TestSolidlyPair {
    address public immutable token0;
    address public immutable token1;
    uint256 public constant FEE = 30;
    uint256 public reserve0;
    uint256 public reserve1;

    constructor(address token0_, address token1_) {
        (token0, token1) = (token0_, token1_);
    }

    function sync() public {
        reserve0 = BareToken(token0).balanceOf(address(this));
        reserve1 = BareToken(token1).balanceOf(address(this));
    }

    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256) {
        uint256 counted = amountIn - amountIn * FEE / 10_000;
        (uint256 a, uint256 b) = tokenIn == token0 ? (reserve0, reserve1) : (reserve1, reserve0);
        return counted * b / (a + counted);
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external {
        require(data.length == 0, "no flash swaps here");
        if (out0 > 0) BareToken(token0).transfer(to, out0);
        if (out1 > 0) BareToken(token1).transfer(to, out1);
        uint256 held0 = BareToken(token0).balanceOf(address(this));
        uint256 held1 = BareToken(token1).balanceOf(address(this));
        uint256 in0 = held0 > reserve0 - out0 ? held0 - (reserve0 - out0) : 0;
        uint256 in1 = held1 > reserve1 - out1 ? held1 - (reserve1 - out1) : 0;
        uint256 left0 = held0 - in0 * FEE / 10_000;
        uint256 left1 = held1 - in1 * FEE / 10_000;
        require(left0 * left1 >= reserve0 * reserve1, "K");
        sync();
    }
}

/// Balancer V2's vault with one pool of the id 1.
contract TestBalancerV2Vault is TestPool {
    struct SingleSwap {
        bytes32 poolId;
        uint8 kind;
        address assetIn;
        address assetOut;
        uint256 amount;
        bytes userData;
    }

    struct FundManagement {
        address sender;
        bool fromInternalBalance;
        address recipient;
        bool toInternalBalance;
    }

    constructor(address a, address b, uint256 p) TestPool(a, b, p) {}

    function swap(
        SingleSwap calldata one,
        FundManagement calldata funds,
        uint256 limit,
        uint256 deadline
    ) external payable returns (uint256 bought) {
        require(block.timestamp <= deadline && one.kind == 0, "order");
        require(one.poolId == bytes32(uint256(1)), "pool");
        // the real one lets relayers trade for others; the router must never be one
        require(funds.sender == msg.sender && !funds.fromInternalBalance, "sender");
        bool isZeroIn = one.assetIn == token0;
        require(one.assetOut == (isZeroIn ? token1 : token0), "assets");
        _pull(one.assetIn, funds.sender, one.amount);
        bought = _payOut(isZeroIn, one.amount, funds.recipient);
        require(bought >= limit, "limit");
    }
}

/// Balancer V3's vault: what is owed when the call ends must be settled.
contract TestBalancerV3Vault is TestPool {
    struct VaultSwapParams {
        uint8 kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGivenRaw;
        uint256 limitRaw;
        bytes userData;
    }

    mapping(address => int256) private owed;
    bool private isOpen;

    constructor(address a, address b, uint256 p) TestPool(a, b, p) {}

    function unlock(bytes calldata data) external returns (bytes memory) {
        isOpen = true;
        (bool done, bytes memory answer) = msg.sender.call(data);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
        require(owed[token0] == 0 && owed[token1] == 0, "BalanceNotSettled");
        isOpen = false;
        return answer;
    }

    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut)
    {
        require(isOpen && params.kind == 0 && params.pool == address(1), "order");
        amountIn = params.amountGivenRaw;
        amountOut = quote(params.tokenIn == token0, amountIn);
        owed[params.tokenIn] += int256(amountIn);
        owed[params.tokenOut] -= int256(amountOut);
        return (amountOut, amountIn, amountOut);
    }

    function settle(address token, uint256 hint) external returns (uint256 credit) {
        credit = _arrived(token == token0);
        if (credit > hint) credit = hint;
        owed[token] -= int256(credit);
        sync();
    }

    function sendTo(address token, address to, uint256 amount) external {
        owed[token] += int256(amount);
        _send(token, to, amount);
        sync();
    }
}

/// Puts liquidity into pools of Uniswap V3's shape, and answers for factories of other shapes.
contract TestProvider {
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;
    mapping(address => mapping(address => address)) public poolByPair;

    function list(address a, address b, int24 spacing, address pool) external {
        getPool[a][b][spacing] = getPool[b][a][spacing] = pool;
        poolByPair[a][b] = poolByPair[b][a] = pool;
    }

    function provide(address pool, int24 lower, int24 upper, uint128 liquidity) external {
        string memory mint = "mint(address,int24,int24,uint128,bytes)";
        (bool done,) = pool.call(
            abi.encodeWithSignature(mint, address(this), lower, upper, liquidity, "")
        );
        require(done, "mint");
    }

    function uniswapV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        TestPool pool = TestPool(payable(msg.sender));
        if (owed0 > 0) BareToken(pool.token0()).transfer(msg.sender, owed0);
        if (owed1 > 0) BareToken(pool.token1()).transfer(msg.sender, owed1);
    }
}
