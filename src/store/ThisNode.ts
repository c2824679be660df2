import { Context } from "effect"

/**
 * The node that this process records as: the identity of its data folder (app/folder/nodeFile.ts). None if the process
 * records nothing, or if no other node shares the catalog.
 */
export class ThisNode extends Context.Reference<ThisNode>()("store/ThisNode", {
  defaultValue: (): string | undefined => undefined
}) {}
