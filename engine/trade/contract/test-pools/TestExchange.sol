// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface ISold {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
}

/// An exchange with the interface of OpenOcean's: takes the input from the caller, makes the calls
/// that the calldata names, and holds the least output against what arrives at the receiver.
contract TestExchange {
    struct Desc {
        address srcToken;
        address dstToken;
        address srcReceiver;
        address dstReceiver;
        uint256 amount;
        uint256 minReturnAmount;
        uint256 guaranteedAmount;
        uint256 flags;
        address referrer;
        bytes permit;
    }

    struct Call {
        uint256 target;
        uint256 gasLimit;
        uint256 value;
        bytes data;
    }

    function swap(address, Desc calldata desc, Call[] calldata calls)
        external
        payable
        returns (uint256 returned)
    {
        uint256 had = ISold(desc.dstToken).balanceOf(desc.dstReceiver);
        require(
            ISold(desc.srcToken).transferFrom(msg.sender, address(this), desc.amount), "not paid"
        );
        for (uint256 i = 0; i < calls.length; i++) {
            address target = address(uint160(calls[i].target));
            (bool ok, bytes memory reason) = target.call{value: calls[i].value}(calls[i].data);
            if (!ok) {
                assembly {
                    revert(add(reason, 32), mload(reason))
                }
            }
        }
        returned = ISold(desc.dstToken).balanceOf(desc.dstReceiver) - had;
        require(returned >= desc.minReturnAmount, "Return amount is not enough");
    }
}
