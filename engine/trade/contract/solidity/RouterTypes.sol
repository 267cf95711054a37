// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What a router is called with, how legs name their adapter, and why a swap fails.

/// One trade in one pool. Exactly one of `share` and `amount` is above zero.
struct Leg {
    /// one of the constants below
    uint8 adapter;
    /// the contract that trades: a pool, or the vault that holds it
    address pool;
    /// the zero address is the native unit, for adapters that can trade it
    address tokenIn;
    address tokenOut;
    /// part of what the router holds of `tokenIn` when the leg begins, in 1e-18
    uint256 share;
    /// raw units of `tokenIn`
    uint256 amount;
    /// what the adapter needs besides; see the adapter
    bytes data;
}

/// An order with its route. Legs run in the order given.
struct Order {
    /// the zero address is the native unit, here and in `tokenOut`
    address tokenIn;
    uint256 amountIn;
    address tokenOut;
    /// the least that has to arrive at the recipient
    uint256 minimumOut;
    address recipient;
    /// Unix seconds; a block of a later time refuses
    uint256 deadline;
    Leg[] legs;
}

uint8 constant WRAP = 0;
uint8 constant UNWRAP = 1;
uint8 constant UNISWAP_V2 = 2;
uint8 constant SOLIDLY = 3;
uint8 constant UNISWAP_V3 = 4;
uint8 constant SOLIDLY_CL = 5;
uint8 constant ALGEBRA = 6;
uint8 constant UNISWAP_V4 = 7;
uint8 constant CURVE_STABLE = 8;
uint8 constant CURVE_CRYPTO = 9;
uint8 constant BALANCER_V2 = 10;
uint8 constant BALANCER_V3 = 11;
uint8 constant LIQUIDITY_BOOK = 12;
uint8 constant DODO_V2 = 13;
uint8 constant MAVERICK_V2 = 14;

// The whole of what is held, as a share.
uint256 constant WHOLE = 1e18;

/// The block is later than the order allows.
error DeadlinePassed(uint256 deadline);
/// The recipient would get less than the order's minimum.
error TooLittleReceived(uint256 received, uint256 minimum);
/// A function for pools was called by somebody else than the pool of the leg that runs.
error StrangersCallback(address caller);
/// A pool wants more than its leg sells.
error PoolAsksTooMuch(uint256 asked, uint256 offered);
/// A swap was called while another one runs.
error Reentered();
/// The leg at this place names an unknown adapter, a wrong pool or more than there is, or bought
/// nothing.
error BadLeg(uint256 index);
/// Its factory does not know this pool by these tokens and this fee.
error UnknownPool(address pool, address factory);
/// The token refused to move or to tell what somebody holds, for the reason that it gave; without
/// one also where somebody held less for what he was given.
error TransferFailed(address token, bytes reason);
/// The value sent along is not what the order sells of the native unit.
error WrongNativeAmount(uint256 sent, uint256 needed);
/// Nobody, or the router itself, is to receive.
error BadRecipient(address recipient);
/// The order sells what it buys.
error SameToken(address token);
/// The native unit was sent outside a swap.
error StrangersPayment(address sender);
