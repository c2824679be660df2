/** The store into which other tests record keeps points as the real ones do. */
import { rowStoreContract } from "../contracts/rowStoreContract.ts"
import { MemoryStore } from "./memoryStore.ts"

rowStoreContract("points in memory", () => new MemoryStore().rowStore)
