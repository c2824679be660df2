import { Context } from "effect"

/**
 * Decides which rows of a session are stored: its points alone, or also the samples of all its groups. Live clients get
 * both.
 */
export class StoredRows extends Context.Reference<StoredRows>()("recording/StoredRows", {
  defaultValue: (): "points" | "all" => "all"
}) {}
