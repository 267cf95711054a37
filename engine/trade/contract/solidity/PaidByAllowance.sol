// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Leg} from "./RouterTypes.sol";
import {TokenMoves} from "./TokenMoves.sol";

interface IStablePool {
    function exchange(int128 i, int128 j, uint256 sold, uint256 minimum) external payable;
}

interface ICryptoPool {
    function exchange(uint256 i, uint256 j, uint256 sold, uint256 minimum) external payable;
}

interface IBalancerV2Vault {
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

    function swap(
        SingleSwap calldata swapped,
        FundManagement calldata funds,
        uint256 limit,
        uint256 deadline
    ) external payable;
}

/// Pools that take what they are paid. They may take what the leg sells of this contract's own
/// tokens, and after the call nothing.
abstract contract PaidByAllowance {
    /// `data`: places of the coins sold and bought (int128, int128).
    function _curveStable(Leg calldata leg, uint256 amount) internal {
        (int128 i, int128 j) = abi.decode(leg.data, (int128, int128));
        uint256 value = _offer(leg, amount);
        IStablePool(leg.pool).exchange{value: value}(i, j, amount, 0);
        _takeBack(leg);
    }

    /// `data`: places of the coins sold and bought (uint256, uint256).
    function _curveCrypto(Leg calldata leg, uint256 amount) internal {
        (uint256 i, uint256 j) = abi.decode(leg.data, (uint256, uint256));
        uint256 value = _offer(leg, amount);
        ICryptoPool(leg.pool).exchange{value: value}(i, j, amount, 0);
        _takeBack(leg);
    }

    /// The leg's pool is the vault. `data`: the pool's id (bytes32).
    function _balancerV2(Leg calldata leg, uint256 amount) internal {
        bytes32 id = abi.decode(leg.data, (bytes32));
        _offer(leg, amount);
        IBalancerV2Vault(leg.pool).swap(
            IBalancerV2Vault.SingleSwap(id, 0, leg.tokenIn, leg.tokenOut, amount, ""),
            IBalancerV2Vault.FundManagement(address(this), false, address(this), false),
            0,
            block.timestamp
        );
        _takeBack(leg);
    }

    /// The native unit goes along with the call: how much of it.
    function _offer(Leg calldata leg, uint256 amount) private returns (uint256 value) {
        if (leg.tokenIn == address(0)) return amount;
        TokenMoves.allow(leg.tokenIn, leg.pool, amount);
    }

    function _takeBack(Leg calldata leg) private {
        if (leg.tokenIn != address(0)) TokenMoves.forbid(leg.tokenIn, leg.pool);
    }
}
