/** The store that other tests record into keeps points as the real ones do. */
import { pointStoreContract } from "../contracts/pointStoreContract.ts"
import { MemoryStore } from "./memoryStore.ts"

pointStoreContract("points in memory", () => new MemoryStore().pointStore)
