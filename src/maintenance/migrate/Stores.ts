/** The stores of one side of a migration. */
import type { Context } from "effect"
import type { CatalogTransfer } from "../../store/CatalogTransfer.ts"
import type { Circuits } from "../../store/Circuits.ts"
import type { Configurations } from "../../store/Configurations.ts"
import type { Deletions } from "../../store/Deletions.ts"
import type { Dictionaries } from "../../store/Dictionaries.ts"
import type { Laps } from "../../store/Laps.ts"
import type { Marks } from "../../store/Marks.ts"
import type { RowStore } from "../../store/RowStore.ts"
import type { Sessions } from "../../store/Sessions.ts"
import type { Takeovers } from "../../store/Takeovers.ts"

export type Stores = Context.Context<
  | CatalogTransfer
  | Circuits
  | Configurations
  | Deletions
  | Dictionaries
  | Laps
  | Marks
  | RowStore
  | Sessions
  | Takeovers
>
