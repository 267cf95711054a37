// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PaidBack} from "./PaidBack.sol";
import {PaidByAllowance} from "./PaidByAllowance.sol";
import {PaidFirst} from "./PaidFirst.sol";
import "./RouterTypes.sol";
import {TokenMoves} from "./TokenMoves.sol";

interface IWrappedNative {
    function deposit() external payable;
    function withdraw(uint256 value) external;
}

interface IPermit2 {
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

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes calldata signature
    ) external;
}

/// Executes swaps for whoever calls: takes the input from the caller, trades leg by leg, gives all
/// of the output to the recipient and all that is left to the caller. It has no owner, stores
/// nothing, and holds nothing between transactions. What anybody sends it by mistake goes to the
/// next one who trades that token.
contract Router is PaidFirst, PaidByAllowance, PaidBack {
    /// Each is the zero address on a chain that has none.
    address public immutable wrappedNative;
    address public immutable permit2;
    address public immutable poolManager;

    constructor(address wrappedNative_, address permit2_, address poolManager_) {
        wrappedNative = wrappedNative_;
        permit2 = permit2_;
        poolManager = poolManager_;
    }

    /// From the wrapped native token, and from pools that pay in the native unit.
    receive() external payable {
        if (!_isBusy()) revert StrangersPayment(msg.sender);
    }

    /// Takes the input by the caller's allowance, or as the value that is sent along. Gives what
    /// arrived at the recipient.
    function swap(Order calldata order) external payable alone returns (uint256 received) {
        _check(order);
        uint256 found = address(this).balance - msg.value;
        uint256 needed = order.tokenIn == address(0) ? order.amountIn : 0;
        if (msg.value != needed) revert WrongNativeAmount(msg.value, needed);
        if (needed == 0) TokenMoves.pullFromCaller(order.tokenIn, order.amountIn);
        return _trade(order, found);
    }

    /// Takes the input by the caller's signature for Permit2, over the order's token and amount
    /// with this router as the spender. The signature of somebody else is of no use to a caller.
    function swapWithPermit2(
        Order calldata order,
        uint256 nonce,
        uint256 signedUntil,
        bytes calldata signature
    ) external alone returns (uint256 received) {
        _check(order);
        if (order.tokenIn == address(0)) revert WrongNativeAmount(0, order.amountIn);
        IPermit2(permit2).permitTransferFrom(
            IPermit2.PermitTransferFrom(
                IPermit2.TokenPermissions(order.tokenIn, order.amountIn), nonce, signedUntil
            ),
            IPermit2.SignatureTransferDetails(address(this), order.amountIn),
            msg.sender,
            signature
        );
        return _trade(order, address(this).balance);
    }

    function _check(Order calldata order) private view {
        if (block.timestamp > order.deadline) revert DeadlinePassed(order.deadline);
        if (order.recipient == address(0) || order.recipient == address(this)) {
            revert BadRecipient(order.recipient);
        }
        if (order.tokenIn == order.tokenOut) revert SameToken(order.tokenIn);
    }

    /// `found`: what was here of the native unit before the caller paid.
    function _trade(Order calldata order, uint256 found) private returns (uint256 received) {
        for (uint256 i = 0; i < order.legs.length; i++) _runLeg(order.legs[i], i);
        received = _deliver(order);
        if (received < order.minimumOut) revert TooLittleReceived(received, order.minimumOut);
        _giveBack(order, found);
    }

    function _runLeg(Leg calldata leg, uint256 index) private {
        uint256 held = TokenMoves.held(leg.tokenIn);
        uint256 amount = leg.share == 0 ? leg.amount : held * leg.share / WHOLE;
        bool isOne = leg.share == 0 || leg.amount == 0;
        if (!isOne || amount == 0 || amount > held || amount > uint256(type(int256).max)) {
            revert BadLeg(index);
        }
        if (leg.pool.code.length == 0) revert BadLeg(index);
        uint256 before = TokenMoves.held(leg.tokenOut);
        if (!_adapt(leg, amount)) revert BadLeg(index);
        // a leg that names another token than its pool pays would leave that here
        if (TokenMoves.held(leg.tokenOut) <= before) revert BadLeg(index);
    }

    /// Runs the leg's adapter; false where there is none, or it cannot trade this.
    function _adapt(Leg calldata leg, uint256 amount) private returns (bool) {
        uint8 adapter = leg.adapter;
        bool isNative = leg.tokenIn == address(0) || leg.tokenOut == address(0);
        if (isNative) return _adaptNative(leg, amount);
        if (adapter == UNISWAP_V2) _uniswapV2(leg, amount);
        else if (adapter == SOLIDLY) _solidly(leg, amount);
        else if (adapter >= UNISWAP_V3 && adapter <= ALGEBRA) _rangePool(leg, amount);
        else if (adapter == CURVE_STABLE) _curveStable(leg, amount);
        else if (adapter == CURVE_CRYPTO) _curveCrypto(leg, amount);
        else if (adapter == BALANCER_V2) _balancerV2(leg, amount);
        else if (adapter == BALANCER_V3) _balancerV3(leg, amount);
        else if (adapter == LIQUIDITY_BOOK) _liquidityBook(leg, amount);
        else if (adapter == DODO_V2) _dodo(leg, amount);
        else if (adapter == MAVERICK_V2) _maverick(leg, amount);
        else return _adaptManaged(leg, amount);
        return true;
    }

    /// Adapters that know the native unit.
    function _adaptNative(Leg calldata leg, uint256 amount) private returns (bool) {
        uint8 adapter = leg.adapter;
        if (adapter == CURVE_STABLE) _curveStable(leg, amount);
        else if (adapter == CURVE_CRYPTO) _curveCrypto(leg, amount);
        else if (adapter == WRAP && leg.pool == wrappedNative && leg.tokenIn == address(0)) {
            IWrappedNative(leg.pool).deposit{value: amount}();
        } else if (adapter == UNWRAP && leg.pool == wrappedNative && leg.tokenIn == leg.pool) {
            IWrappedNative(leg.pool).withdraw(amount);
        } else {
            return _adaptManaged(leg, amount);
        }
        return true;
    }

    function _adaptManaged(Leg calldata leg, uint256 amount) private returns (bool) {
        if (leg.adapter != UNISWAP_V4 || leg.pool != poolManager) return false;
        _uniswapV4(leg, amount);
        return true;
    }

    /// Gives all of the bought token to the recipient: what arrived there, which of a token that
    /// takes a fee is less than what was sent.
    function _deliver(Order calldata order) private returns (uint256) {
        (address token, address to) = (order.tokenOut, order.recipient);
        uint256 bought = TokenMoves.held(token);
        if (bought == 0) return 0;
        uint256 before = token == address(0) ? 0 : TokenMoves.heldBy(token, to);
        TokenMoves.send(token, to, bought);
        return token == address(0) ? bought : TokenMoves.arrived(token, to, before);
    }

    /// Gives what is left to the caller: of what was sold, and of what was bought on the way.
    function _giveBack(Order calldata order, uint256 found) private {
        if (order.tokenIn != address(0)) _giveBackOf(order.tokenIn);
        for (uint256 i = 0; i < order.legs.length; i++) {
            address token = order.legs[i].tokenOut;
            if (token != order.tokenOut && token != address(0)) _giveBackOf(token);
        }
        uint256 left = address(this).balance;
        if (left == 0) return;
        (bool sent, bytes memory reason) = msg.sender.call{value: left}("");
        // what somebody forced on this contract stops no caller who cannot be paid
        if (!sent && left > found) revert TransferFailed(address(0), reason);
    }

    function _giveBackOf(address token) private {
        uint256 left = TokenMoves.held(token);
        if (left > 0) TokenMoves.send(token, msg.sender, left);
    }
}
