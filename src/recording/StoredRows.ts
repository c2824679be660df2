import { Context } from "effect"

/** What of a session is stored: its points alone, or the samples of all its groups, too. Live clients get both. */
export class StoredRows extends Context.Reference<StoredRows>()("recording/StoredRows", {
  defaultValue: (): "points" | "all" => "all"
}) {}
