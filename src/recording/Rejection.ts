/** Why a row was refused. */
export type Rejection =
  | "not_finite"
  | "out_of_order"
  | "implausible_time"
  | "implausible_value"
  | "gear_not_whole"
  | "no_session"
  | "malformed"
  | "session_gone"
  | "undeclared"
