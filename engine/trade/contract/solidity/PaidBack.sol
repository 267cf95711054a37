// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ExpectedPool} from "./ExpectedPool.sol";
import {ALGEBRA, Leg, PoolAsksTooMuch, SOLIDLY_CL, UnknownPool} from "./RouterTypes.sol";

interface IRangePool {
    function swap(
        address to,
        bool zeroForOne,
        int256 amount,
        uint160 sqrtPriceLimitX96,
        bytes calldata data
    ) external;
}

interface IFeeFactory {
    function getPool(address a, address b, uint24 fee) external view returns (address);
}

interface ISpacingFactory {
    function getPool(address a, address b, int24 tickSpacing) external view returns (address);
}

interface IAlgebraFactory {
    function poolByPair(address a, address b) external view returns (address);
}

interface IPoolManager {
    struct PoolKey {
        address currency0;
        address currency1;
        uint24 fee;
        int24 tickSpacing;
        address hooks;
    }

    struct SwapParams {
        bool zeroForOne;
        int256 amountSpecified;
        uint160 sqrtPriceLimitX96;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(PoolKey calldata key, SwapParams calldata params, bytes calldata hookData)
        external
        returns (int256 delta);
    function sync(address currency) external;
    function settle() external payable returns (uint256 paid);
    function take(address currency, address to, uint256 amount) external;
}

interface IBalancerV3Vault {
    struct VaultSwapParams {
        uint8 kind;
        address pool;
        address tokenIn;
        address tokenOut;
        uint256 amountGivenRaw;
        uint256 limitRaw;
        bytes userData;
    }

    function unlock(bytes calldata data) external returns (bytes memory);
    function swap(VaultSwapParams calldata params)
        external
        returns (uint256 calculated, uint256 amountIn, uint256 amountOut);
    function settle(address token, uint256 hint) external returns (uint256 credit);
    function sendTo(address token, address to, uint256 amount) external;
}

/// Pools that ask for their payment by calling back.
abstract contract PaidBack is ExpectedPool {
    uint160 private constant LOWEST = 4295128740;
    uint160 private constant HIGHEST = 1461446703485210103287273052203988822378723970341;

    /// Uniswap V3, PancakeSwap V3, Solidly's concentrated pools and Algebra.
    /// `data`: nothing, or the factory that has to know the pool and its fee, or tick spacing, or
    /// 0 (address, uint24).
    function _rangePool(Leg calldata leg, uint256 amount) internal {
        if (leg.data.length > 0) _mustBeKnown(leg);
        bool isZeroForOne = leg.tokenIn < leg.tokenOut;
        _expect(leg.pool, leg.tokenIn, amount);
        IRangePool(leg.pool).swap(
            address(this), isZeroForOne, int256(amount), isZeroForOne ? LOWEST : HIGHEST, ""
        );
        _expectNobody();
    }

    function _mustBeKnown(Leg calldata leg) private view {
        (address factory, uint24 fee) = abi.decode(leg.data, (address, uint24));
        address known;
        if (leg.adapter == ALGEBRA) {
            known = IAlgebraFactory(factory).poolByPair(leg.tokenIn, leg.tokenOut);
        } else if (leg.adapter == SOLIDLY_CL) {
            known = ISpacingFactory(factory).getPool(leg.tokenIn, leg.tokenOut, int24(fee));
        } else {
            known = IFeeFactory(factory).getPool(leg.tokenIn, leg.tokenOut, fee);
        }
        if (known != leg.pool) revert UnknownPool(leg.pool, factory);
    }

    function uniswapV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _payRangePool(owed0, owed1);
    }

    function pancakeV3SwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _payRangePool(owed0, owed1);
    }

    function algebraSwapCallback(int256 owed0, int256 owed1, bytes calldata) external {
        _payRangePool(owed0, owed1);
    }

    function _payRangePool(int256 owed0, int256 owed1) private {
        (address token, uint256 offered) = _admit();
        // where none is above zero this is more than anybody offers
        _pay(token, uint256(owed0 > 0 ? owed0 : owed1), offered);
    }

    /// `data`: fee, tick spacing, hooks contract and what it is told
    /// (uint24, int24, address, bytes).
    function _uniswapV4(Leg calldata leg, uint256 amount) internal {
        (uint24 fee, int24 spacing, address hooks, bytes memory told) =
            abi.decode(leg.data, (uint24, int24, address, bytes));
        bool isZeroForOne = leg.tokenIn < leg.tokenOut;
        (address lower, address higher) =
            isZeroForOne ? (leg.tokenIn, leg.tokenOut) : (leg.tokenOut, leg.tokenIn);
        _expect(leg.pool, leg.tokenIn, amount);
        IPoolManager(leg.pool).unlock(
            abi.encode(
                IPoolManager.PoolKey(lower, higher, fee, spacing, hooks), isZeroForOne, told
            )
        );
        _expectNobody();
    }

    /// For the PoolManager of the leg, with the words that `_uniswapV4` gave it.
    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (address token, uint256 offered) = _admit();
        IPoolManager manager = IPoolManager(msg.sender);
        (IPoolManager.PoolKey memory key, bool isZeroForOne, bytes memory told) =
            abi.decode(data, (IPoolManager.PoolKey, bool, bytes));
        int256 delta = manager.swap(
            key,
            IPoolManager.SwapParams(
                isZeroForOne, -int256(offered), isZeroForOne ? LOWEST : HIGHEST
            ),
            told
        );
        (int256 in_, int256 out) = isZeroForOne
            ? (delta >> 128, int256(int128(delta)))
            : (int256(int128(delta)), delta >> 128);
        // hooks may take more than was offered, or want to be paid in both
        if (in_ > 0 || out < 0) revert PoolAsksTooMuch(type(uint256).max, offered);
        manager.sync(token);
        if (token == address(0)) {
            if (uint256(-in_) > offered) revert PoolAsksTooMuch(uint256(-in_), offered);
            manager.settle{value: uint256(-in_)}();
        } else {
            _pay(token, uint256(-in_), offered);
            manager.settle();
        }
        manager.take(isZeroForOne ? key.currency1 : key.currency0, address(this), uint256(out));
        return "";
    }

    /// The leg's pool is the vault. `data`: the pool (address).
    function _balancerV3(Leg calldata leg, uint256 amount) internal {
        address pool = abi.decode(leg.data, (address));
        _expect(leg.pool, leg.tokenIn, amount);
        IBalancerV3Vault(leg.pool).unlock(
            abi.encodeCall(this.balancerV3Callback, (pool, leg.tokenOut))
        );
        _expectNobody();
    }

    /// For the vault of the leg, with the words that `_balancerV3` gave it.
    function balancerV3Callback(address pool, address tokenOut) external {
        (address token, uint256 offered) = _admit();
        IBalancerV3Vault vault = IBalancerV3Vault(msg.sender);
        (, uint256 asked, uint256 bought) = vault.swap(
            IBalancerV3Vault.VaultSwapParams(0, pool, token, tokenOut, offered, 0, "")
        );
        _pay(token, asked, offered);
        vault.settle(token, asked);
        vault.sendTo(tokenOut, address(this), bought);
    }
}
