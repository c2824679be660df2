/** The stores of one side. */
import type { Context } from "effect"
import type { Catalog } from "../../store/Catalog.ts"
import type { CatalogTransfer } from "../../store/CatalogTransfer.ts"
import type { RowStore } from "../../store/RowStore.ts"

export type Stores = Context.Context<Catalog | CatalogTransfer | RowStore>
