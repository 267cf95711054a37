// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {BareToken} from "./Token.sol";

/// An account for tests: does what anybody asks of it, as a wallet does for its owner.
contract TestAccount {
    receive() external payable {}

    function run(address target, uint256 value, bytes calldata data) external payable {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }

    function nativeOf(address owner) external view returns (uint256) {
        return owner.balance;
    }
}

/// An account that takes no native units.
contract TestVault {
    function run(address target, uint256 value, bytes calldata data) external payable {
        (bool done, bytes memory answer) = target.call{value: value}(data);
        if (!done) {
            assembly {
                revert(add(answer, 32), mload(answer))
            }
        }
    }
}

/// Forces native units on an address that does not take them.
contract TestForce {
    constructor(address payable victim) payable {
        selfdestruct(victim);
    }
}

/// Permit2's transfer by signature, as far as the router uses it: it checks owner, spender, token,
/// amount, nonce and time as the real one does.
contract TestPermit2 {
    struct TokenPermissions {
        address token;
        uint256 amount;
    }

    struct PermitTransferFrom {
        TokenPermissions permitted;
        uint256 nonce;
        uint256 deadline;
    }

    struct SignatureTransferDetails {
        address to;
        uint256 requestedAmount;
    }

    bytes32 private constant PERMISSIONS =
        keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant PERMIT = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,"
        "uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");

    mapping(address => mapping(uint256 => bool)) private used;

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes calldata signature
    ) external {
        require(block.timestamp <= permit.deadline, "expired");
        require(details.requestedAmount <= permit.permitted.amount, "amount");
        require(!used[owner][permit.nonce], "nonce");
        used[owner][permit.nonce] = true;
        bytes32 domain = keccak256(
            abi.encode(DOMAIN, keccak256("Permit2"), block.chainid, address(this))
        );
        bytes32 permissions =
            keccak256(abi.encode(PERMISSIONS, permit.permitted.token, permit.permitted.amount));
        bytes32 message = keccak256(
            abi.encode(PERMIT, permissions, msg.sender, permit.nonce, permit.deadline)
        );
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", domain, message));
        (bytes32 r, bytes32 s) = abi.decode(signature[:64], (bytes32, bytes32));
        require(ecrecover(digest, uint8(signature[64]), r, s) == owner, "signer");
        BareToken(permit.permitted.token).transferFrom(owner, details.to, details.requestedAmount);
    }
}
