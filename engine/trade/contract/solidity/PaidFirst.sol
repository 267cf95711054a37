// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Leg} from "./RouterTypes.sol";
import {TokenMoves} from "./TokenMoves.sol";

interface IPair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 at);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
}

interface ISolidlyPair {
    function getAmountOut(uint256 amountIn, address tokenIn) external view returns (uint256);
}

interface IBinPair {
    function swap(bool forY, address to) external;
}

interface IDodoPool {
    function sellBase(address to) external;
    function sellQuote(address to) external;
}

interface IMaverickPool {
    struct SwapParams {
        uint256 amount;
        bool tokenAIn;
        bool exactOutput;
        int32 tickLimit;
    }

    function swap(address to, SwapParams calldata params, bytes calldata data) external;
}

/// Pools that find what they are paid in their own balance. They need no callback and no
/// allowance. What arrived counts, not what was sent, so tokens that take a fee are sold too.
abstract contract PaidFirst {
    /// `data`: the fee in 1e-6 of the input (uint256).
    function _uniswapV2(Leg calldata leg, uint256 amount) internal {
        uint256 fee = abi.decode(leg.data, (uint256));
        TokenMoves.send(leg.tokenIn, leg.pool, amount);
        bool isZeroForOne = leg.tokenIn < leg.tokenOut;
        (uint256 reserveIn, uint256 reserveOut,) = IPair(leg.pool).getReserves();
        if (!isZeroForOne) (reserveIn, reserveOut) = (reserveOut, reserveIn);
        uint256 counted = TokenMoves.arrived(leg.tokenIn, leg.pool, reserveIn) * (1e6 - fee);
        _take(leg.pool, isZeroForOne, counted * reserveOut / (reserveIn * 1e6 + counted));
    }

    /// No `data`: the pair knows its fee and its curve.
    function _solidly(Leg calldata leg, uint256 amount) internal {
        uint256 before = TokenMoves.heldBy(leg.tokenIn, leg.pool);
        TokenMoves.send(leg.tokenIn, leg.pool, amount);
        uint256 arrived = TokenMoves.arrived(leg.tokenIn, leg.pool, before);
        uint256 bought = ISolidlyPair(leg.pool).getAmountOut(arrived, leg.tokenIn);
        _take(leg.pool, leg.tokenIn < leg.tokenOut, bought);
    }

    /// `data`: whether token X is sold for token Y (bool).
    function _liquidityBook(Leg calldata leg, uint256 amount) internal {
        TokenMoves.send(leg.tokenIn, leg.pool, amount);
        IBinPair(leg.pool).swap(abi.decode(leg.data, (bool)), address(this));
    }

    /// `data`: whether the base token is sold (bool).
    function _dodo(Leg calldata leg, uint256 amount) internal {
        TokenMoves.send(leg.tokenIn, leg.pool, amount);
        if (abi.decode(leg.data, (bool))) IDodoPool(leg.pool).sellBase(address(this));
        else IDodoPool(leg.pool).sellQuote(address(this));
    }

    /// `data`: whether token A is sold (bool).
    function _maverick(Leg calldata leg, uint256 amount) internal {
        bool isAIn = abi.decode(leg.data, (bool));
        uint256 before = TokenMoves.heldBy(leg.tokenIn, leg.pool);
        TokenMoves.send(leg.tokenIn, leg.pool, amount);
        uint256 arrived = TokenMoves.arrived(leg.tokenIn, leg.pool, before);
        int32 limit = isAIn ? type(int32).max : type(int32).min;
        IMaverickPool(leg.pool).swap(
            address(this), IMaverickPool.SwapParams(arrived, isAIn, false, limit), ""
        );
    }

    function _take(address pool, bool isZeroForOne, uint256 bought) private {
        IPair(pool).swap(isZeroForOne ? 0 : bought, isZeroForOne ? bought : 0, address(this), "");
    }
}
