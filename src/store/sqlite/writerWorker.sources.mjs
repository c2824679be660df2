/**
 * Entry of the writer thread where the program runs from its sources (tests, tsx): on Node 20 a thread does not
 * take its parent's compiler over, and `--import tsx` acts on the main thread only.
 */
import { register } from "tsx/esm/api"

register()
await import("./writerWorker.ts")
