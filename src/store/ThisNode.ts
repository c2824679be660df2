import { Context } from "effect"

/**
 * The node that this process records as: the identity of its data folder (folder/nodeFile.ts). None where a process
 * records nothing, and in a catalog that no other node has.
 */
export class ThisNode extends Context.Reference<ThisNode>()("store/ThisNode", {
  defaultValue: (): string | undefined => undefined
}) {}
