// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {HostileContract} from "./HostileContract.sol";

/// A token that anybody mints; what a transfer does besides is for those below.
abstract contract TestLedger {
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);

    function mint(address to, uint256 value) external {
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    function _move(address from, address to, uint256 value) internal virtual;
}

/// Takes a hundredth of every transfer.
contract TestFeeToken is TestLedger {
    function _move(address from, address to, uint256 value) internal override {
        balanceOf[from] -= value;
        balanceOf[to] += value - value / 100;
        emit Transfer(from, to, value - value / 100);
    }
}

/// Knows its pool, and treats transfers with it otherwise than all others.
contract TestGuardedToken is TestLedger {
    /// What it does to those who trade: takes a share, takes from sales what it likes, or makes
    /// buyers wait for the next block.
    enum Rule {
        TAX,
        TRAP,
        WAIT
    }

    address private pool;
    Rule private rule;
    uint256 private perMillion;
    mapping(address => uint256) private boughtIn;

    function guard(address pool_, Rule rule_, uint256 perMillion_) external {
        pool = pool_;
        rule = rule_;
        perMillion = perMillion_;
    }

    function _move(address from, address to, uint256 value) internal override {
        bool isTrade = pool != address(0) && (from == pool || to == pool);
        require(!(isTrade && rule == Rule.TRAP && to == pool), "only the owner sells");
        if (isTrade && rule == Rule.WAIT) {
            require(to != pool || boughtIn[from] != block.number, "wait a block");
            boughtIn[to] = block.number;
        }
        uint256 tax = isTrade && rule == Rule.TAX ? value * perMillion / 1e6 : 0;
        balanceOf[from] -= value;
        balanceOf[to] += value - tax;
        emit Transfer(from, to, value - tax);
    }
}

/// An honest ledger that lets a hostile contract act in the middle of each transfer.
contract TestHostileToken is TestLedger {
    HostileContract private author;

    function obey(HostileContract author_) external {
        author = author_;
    }

    function _move(address from, address to, uint256 value) internal override {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        if (address(author) != address(0)) author.act();
    }
}

/// A token of the oldest kind: answers nothing, and refuses a new allowance over an old one.
contract TestSilentToken {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    function mint(address to, uint256 value) external {
        balanceOf[to] += value;
    }

    function approve(address spender, uint256 value) external {
        require(value == 0 || allowance[msg.sender][spender] == 0, "reset first");
        allowance[msg.sender][spender] = value;
    }

    function transfer(address to, uint256 value) external {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
    }

    function transferFrom(address from, address to, uint256 value) external {
        allowance[from][msg.sender] -= value;
        balanceOf[from] -= value;
        balanceOf[to] += value;
    }
}
