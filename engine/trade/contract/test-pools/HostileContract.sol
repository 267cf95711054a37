// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// Does, whenever it is called with data, what its author planned: calls of chosen contracts with
/// chosen data, each at most once, and a word or two as the answer. A step to nobody ends what is
/// done at one time. It stands for a hostile pool,
/// vault, hook, factory or token, whatever selector it is called by. What it tried and was let do
/// is counted.
contract HostileContract {
    struct Step {
        address target;
        bytes data;
    }

    Step[] private steps;
    uint256 private next;
    bytes private answer;
    uint256 public succeeded;
    uint256 public tried;
    uint256 public everTried;

    receive() external payable {}

    function plan(Step[] calldata steps_, bytes calldata answer_) external {
        delete steps;
        for (uint256 i = 0; i < steps_.length; i++) steps.push(steps_[i]);
        (next, answer, succeeded, tried) = (0, answer_, 0, 0);
    }

    fallback() external payable {
        act();
        bytes memory words = answer;
        assembly {
            return(add(words, 32), mload(words))
        }
    }

    function act() public {
        while (next < steps.length) {
            Step memory step = steps[next++];
            if (step.target == address(0)) return;
            tried++;
            everTried++;
            (bool done,) = step.target.call(step.data);
            if (done) succeeded++;
        }
    }
}
