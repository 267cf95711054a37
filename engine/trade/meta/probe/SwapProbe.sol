// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IHeld {
    function balanceOf(address holder) external view returns (uint256);
}

/// Is put in the place of a taker's account on paper alone, and never deployed: makes a call as the
/// taker and tells what it sold and what arrived. A call that reverts reverts it with its reason.
contract SwapProbe {
    receive() external payable {}

    /// The zero address is the native unit.
    function measure(
        address target,
        uint256 value,
        bytes calldata data,
        address tokenIn,
        address tokenOut,
        address recipient
    ) external returns (uint256 sold, uint256 arrived) {
        uint256 hadIn = _held(tokenIn, address(this));
        uint256 hadOut = _held(tokenOut, recipient);
        (bool ok, bytes memory reason) = target.call{value: value}(data);
        if (!ok) {
            assembly {
                revert(add(reason, 32), mload(reason))
            }
        }
        uint256 hasIn = _held(tokenIn, address(this));
        uint256 hasOut = _held(tokenOut, recipient);
        sold = hadIn > hasIn ? hadIn - hasIn : 0;
        arrived = hasOut > hadOut ? hasOut - hadOut : 0;
    }

    function _held(address token, address holder) private view returns (uint256) {
        return token == address(0) ? holder.balance : IHeld(token).balanceOf(holder);
    }
}
