// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IToken} from "./TokenMoves.sol";

/// Passes a token along a path of holders, on paper: a node is asked to put this code at each of
/// them for one call, so each can send what it holds. Nobody deploys it.
contract TransferProbe {
    /// What a holder sent, and what of it arrived; `reason` where the token refused.
    struct Step {
        uint256 sent;
        uint256 received;
        bool isRefused;
        bytes reason;
    }

    /// Sends `amount` from the first holder of `path`, which this is, and then each time what
    /// arrived. It ends with the first transfer that is refused.
    function pass(address token, address[] calldata path, uint256 amount)
        external
        returns (Step[] memory steps)
    {
        steps = new Step[](path.length - 1);
        for (uint256 i = 0; i < steps.length; i++) {
            steps[i] = TransferProbe(path[i]).give(token, path[i + 1], amount);
            amount = steps[i].received;
            if (steps[i].isRefused || amount == 0) return steps;
        }
    }

    /// Sends from here.
    function give(address token, address to, uint256 amount) external returns (Step memory) {
        uint256 before = IToken(token).balanceOf(to);
        (bool done, bytes memory answer) =
            token.call(abi.encodeCall(IToken.transfer, (to, amount)));
        bool isYes = answer.length == 0
            ? token.code.length > 0
            : answer.length >= 32 && abi.decode(answer, (uint256)) == 1;
        if (!done || !isYes) return Step(amount, 0, true, answer);
        uint256 held = IToken(token).balanceOf(to);
        return Step(amount, held > before ? held - before : 0, false, "");
    }
}
