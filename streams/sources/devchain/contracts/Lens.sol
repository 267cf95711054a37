// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

interface IPair {
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 at);
}

interface IPool {
    function slot0() external view returns (uint160, int24, uint16, uint16, uint16, uint8, bool);
    function liquidity() external view returns (uint128);
}

interface IAsset {
    function balanceOf(address) external view returns (uint256);
    function allowance(address, address) external view returns (uint256);
    function count() external view returns (uint256);
}

interface IPositions {
    function balanceOf(address owner) external view returns (uint256);
    function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256);
    function positions(uint256 id)
        external
        view
        returns (
            uint96,
            address,
            address,
            address,
            uint24,
            int24,
            int24,
            uint128,
            uint256,
            uint256,
            uint128,
            uint128
        );
}

/// Reads what the traders need to plan a block in one call. Answers are flat words: no structs.
contract Lens {
    /// The number of launches, then two words a pool: the V2 reserves, or V3's sqrtPriceX96 and
    /// liquidity. Zeros where no pool is.
    function pools(address launcher, address[] calldata pairs, address[] calldata v3)
        external
        view
        returns (uint256[] memory words)
    {
        words = new uint256[](1 + 2 * (pairs.length + v3.length));
        uint256 at = 1;
        words[0] = IAsset(launcher).count();
        for (uint256 i = 0; i < pairs.length; i++) {
            if (pairs[i].code.length > 0) {
                (words[at], words[at + 1],) = IPair(pairs[i]).getReserves();
            }
            at += 2;
        }
        for (uint256 i = 0; i < v3.length; i++) {
            if (v3[i].code.length > 0) {
                (words[at],,,,,,) = IPool(v3[i]).slot0();
                words[at + 1] = IPool(v3[i]).liquidity();
            }
            at += 2;
        }
    }

    /// Two words a triple: the owner's balance and what the spender may take. Zeros where no token
    /// is.
    function holdings(
        address[] calldata tokens,
        address[] calldata owners,
        address[] calldata spenders
    ) external view returns (uint256[] memory words) {
        words = new uint256[](2 * tokens.length);
        for (uint256 i = 0; i < tokens.length; i++) {
            if (tokens[i].code.length == 0) continue;
            words[2 * i] = IAsset(tokens[i]).balanceOf(owners[i]);
            words[2 * i + 1] = IAsset(tokens[i]).allowance(owners[i], spenders[i]);
        }
    }

    /// Seven words a position of the owner, oldest first, at most `most` of them:
    /// id, token0, token1, fee, lower tick, upper tick (both sign-extended), liquidity.
    function positions(address manager, address owner, uint256 most)
        external
        view
        returns (uint256[] memory words)
    {
        uint256 held = IPositions(manager).balanceOf(owner);
        if (held > most) held = most;
        words = new uint256[](7 * held);
        for (uint256 i = 0; i < held; i++) {
            uint256 id = IPositions(manager).tokenOfOwnerByIndex(owner, i);
            (
                ,
                ,
                address token0,
                address token1,
                uint24 fee,
                int24 lower,
                int24 upper,
                uint128 liquidity,
                ,
                ,
                ,
            ) = IPositions(manager).positions(id);
            words[7 * i] = id;
            words[7 * i + 1] = uint256(uint160(token0));
            words[7 * i + 2] = uint256(uint160(token1));
            words[7 * i + 3] = fee;
            words[7 * i + 4] = uint256(int256(lower));
            words[7 * i + 5] = uint256(int256(upper));
            words[7 * i + 6] = liquidity;
        }
    }
}
