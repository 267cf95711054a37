// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// A token that is honest until its owner says what it shall do instead, as hostile ones are once
/// there is liquidity.
contract TestWhimToken {
    enum Whim {
        NONE,
        TAKES_ALL,
        TAXES_SALES,
        SHUNS_ROUTER,
        ANSWERS_FALSE,
        ANSWERS_TWO,
        ANSWERS_NOTHING,
        HIDES_BALANCES,
        ANSWERS_NO_BALANCE,
        SHRINKS,
        GROWS,
        SHRINKS_AT_TAKER,
        PAUSED,
        REFUSES_APPROVALS,
        FORGETS_ALLOWANCES,
        BURNS_GAS,
        SHOUTS
    }

    uint256 public totalSupply;
    mapping(address => uint256) private shares;
    mapping(address => mapping(address => uint256)) private allowances;
    Whim private whim;
    address private router;
    address private taker;
    mapping(address => bool) private isPool;
    /// balances are shares of this many hundredths
    uint256 private hundredths = 100;

    error OnlyFriends(address stranger);

    function mint(address to, uint256 value) external {
        totalSupply += value;
        shares[to] += value;
    }

    function turn(Whim whim_, address router_, address taker_, address[] calldata pools) external {
        (whim, router, taker) = (whim_, router_, taker_);
        for (uint256 i = 0; i < pools.length; i++) isPool[pools[i]] = true;
    }

    function balanceOf(address owner) external view returns (uint256 balance) {
        if (whim == Whim.HIDES_BALANCES) revert OnlyFriends(msg.sender);
        if (whim == Whim.ANSWERS_NO_BALANCE) {
            assembly {
                return(0, 0)
            }
        }
        balance = shares[owner] * hundredths / 100;
        if (whim == Whim.SHRINKS_AT_TAKER && owner == taker && hundredths < 100) balance = 0;
    }

    function allowance(address owner, address spender) external view returns (uint256) {
        if (whim == Whim.FORGETS_ALLOWANCES) revert OnlyFriends(msg.sender);
        return allowances[owner][spender];
    }

    function approve(address spender, uint256 value) external returns (bool) {
        if (whim == Whim.REFUSES_APPROVALS && msg.sender == router) return false;
        allowances[msg.sender][spender] = value;
        return true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        return _move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowances[from][msg.sender] -= value;
        return _move(from, to, value);
    }

    function _move(address from, address to, uint256 value) private returns (bool) {
        require(whim != Whim.PAUSED, "paused");
        bool isSale = isPool[to];
        if (whim == Whim.SHUNS_ROUTER && (from == router || to == router)) {
            revert OnlyFriends(router);
        }
        if (whim == Whim.BURNS_GAS) while (gasleft() > 5_000) {}
        uint256 tax = whim == Whim.TAKES_ALL ? value : 0;
        if (whim == Whim.TAXES_SALES && isSale) tax = value * 9 / 10;
        shares[from] -= value * 100 / hundredths;
        shares[to] += (value - tax) * 100 / hundredths;
        // of what moves first, everybody's balance changes
        if (whim == Whim.SHRINKS || whim == Whim.SHRINKS_AT_TAKER) hundredths = 90;
        if (whim == Whim.GROWS) hundredths = 110;
        return _answer();
    }

    function _answer() private view returns (bool) {
        if (whim == Whim.ANSWERS_FALSE) return false;
        if (whim == Whim.ANSWERS_TWO) {
            assembly {
                mstore(0, 2)
                return(0, 32)
            }
        }
        if (whim == Whim.ANSWERS_NOTHING) {
            assembly {
                return(0, 0)
            }
        }
        if (whim == Whim.SHOUTS) {
            assembly {
                return(0, 100000)
            }
        }
        return true;
    }
}
