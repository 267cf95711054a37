/** Why a log of a watched topic is not the event it seems to be: reasons of `LogQuarantined`. */
export const rejection = {
  topicCount: "wrong number of topics",
  dataLength: "wrong data length",
  emitter: "emitter is none of the chain's venues",
  address: "address word with high bytes set",
  bool: "bool other than 0 or 1",
  selector: "selector with low bytes set",
  coin: "no place of a coin",
  uint8: "uint8 out of range",
  uint16: "uint16 out of range",
  uint24: "uint24 out of range",
  int24: "int24 out of range",
  uint32: "uint32 out of range",
  int32: "int32 out of range",
  uint112: "uint112 out of range",
  int128: "int128 out of range",
  uint128: "uint128 out of range",
  uint160: "uint160 out of range"
} as const
