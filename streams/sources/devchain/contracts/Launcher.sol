// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import "./Token.sol";

/// Creates new tokens. The n-th launch (from 0) creates the contract with nonce n + 1 of this
/// address, so a caller knows the token's address before the transaction runs, and `count` alone
/// names them all.
contract Launcher {
    uint256 public count;

    event Launched(address indexed token, address indexed creator, uint256 supply);

    function launch(string calldata name, string calldata symbol, uint8 decimals, uint256 supply)
        external
        returns (address)
    {
        Token token = new Token(name, symbol, decimals);
        count++;
        token.mint(msg.sender, supply);
        emit Launched(address(token), msg.sender, supply);
        return address(token);
    }
}
