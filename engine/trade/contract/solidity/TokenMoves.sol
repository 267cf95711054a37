// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TransferFailed} from "./RouterTypes.sol";

interface IToken {
    function balanceOf(address owner) external view returns (uint256);
    function allowance(address owner, address spender) external view returns (uint256);
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function approve(address spender, uint256 value) external returns (bool);
}

/// Moves tokens and the native unit (the zero address), also tokens that answer nothing.
library TokenMoves {
    /// What this contract holds.
    function held(address token) internal view returns (uint256) {
        return token == address(0) ? address(this).balance : heldBy(token, address(this));
    }

    /// What somebody holds of a token.
    function heldBy(address token, address holder) internal view returns (uint256) {
        return _told(token, abi.encodeCall(IToken.balanceOf, (holder)));
    }

    /// By how much somebody holds more of a token than before it moved to him.
    function arrived(address token, address holder, uint256 before)
        internal
        view
        returns (uint256)
    {
        uint256 holds = heldBy(token, holder);
        // balances of a token that shrinks, or lies
        if (holds < before) revert TransferFailed(token, "");
        return holds - before;
    }

    /// Gives what this contract holds. The native unit goes with all gas: who gets it may be a
    /// contract, and no other swap can begin meanwhile.
    function send(address token, address to, uint256 value) internal {
        if (token == address(0)) {
            (bool sent, bytes memory reason) = to.call{value: value}("");
            if (!sent) revert TransferFailed(token, reason);
        } else {
            _call(token, abi.encodeCall(IToken.transfer, (to, value)));
        }
    }

    /// Takes from whoever called this contract, and from nobody else: there is no argument for it.
    function pullFromCaller(address token, uint256 value) internal {
        _call(token, abi.encodeCall(IToken.transferFrom, (msg.sender, address(this), value)));
    }

    /// Lets a pool take so much until `forbid`.
    function allow(address token, address pool, uint256 value) internal {
        _call(token, abi.encodeCall(IToken.approve, (pool, value)));
    }

    /// Takes back what the pool left of its allowance.
    function forbid(address token, address pool) internal {
        if (_told(token, abi.encodeCall(IToken.allowance, (address(this), pool))) == 0) return;
        _call(token, abi.encodeCall(IToken.approve, (pool, 0)));
    }

    /// The number that a token tells; one that tells none is named.
    function _told(address token, bytes memory data) private view returns (uint256) {
        (bool done, bytes memory answer) = token.staticcall(data);
        if (!done || answer.length < 32) revert TransferFailed(token, answer);
        return abi.decode(answer, (uint256));
    }

    function _call(address token, bytes memory data) private {
        (bool done, bytes memory answer) = token.call(data);
        bool isGood = answer.length == 0
            ? token.code.length > 0
            : answer.length >= 32 && abi.decode(answer, (uint256)) == 1;
        if (!done || !isGood) revert TransferFailed(token, answer);
    }
}
