// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PoolAsksTooMuch, Reentered, StrangersCallback} from "./RouterTypes.sol";
import {TokenMoves} from "./TokenMoves.sol";

/// Who may call back, once, and what it may get. All of it is transient: it ends with the
/// transaction, and nothing of this contract is ever stored.
abstract contract ExpectedPool {
    bool private transient _isSwapping;
    address private transient _pool;
    address private transient _token;
    uint256 private transient _offered;

    /// One swap at a time, whoever calls.
    modifier alone() {
        if (_isSwapping) revert Reentered();
        _isSwapping = true;
        _;
        _isSwapping = false;
    }

    function _isBusy() internal view returns (bool) {
        return _isSwapping;
    }

    /// From here on this pool may call back, and be paid up to so much of this token.
    function _expect(address pool, address token, uint256 offered) internal {
        _pool = pool;
        _token = token;
        _offered = offered;
    }

    function _expectNobody() internal {
        _pool = address(0);
    }

    /// Lets in the expected pool, once. What it says about itself, tokens and payers counts for
    /// nothing: it gets what the leg offers.
    function _admit() internal returns (address token, uint256 offered) {
        if (msg.sender != _pool) revert StrangersCallback(msg.sender);
        _pool = address(0);
        return (_token, _offered);
    }

    /// Pays the pool that was let in.
    function _pay(address token, uint256 asked, uint256 offered) internal {
        if (asked > offered) revert PoolAsksTooMuch(asked, offered);
        TokenMoves.send(token, msg.sender, asked);
    }
}
