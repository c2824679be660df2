/**
 * What each part of the tree may import of the rest. A row is a folder or a file; the longest row that a file is in holds for it.
 * A part may always import itself; packages and Node's modules are no concern of this table.
 */

export interface ImportRule {
  readonly may: ReadonlyArray<string>
  /** Why, for whoever meets the rule. */
  readonly because: string
}

export const importRules: Readonly<Record<string, ImportRule>> = {
  simulator: {
    may: [
      // What a process is made of, whatever it does.
      "src/begin.ts",
      "src/commandLine.ts",
      "src/exit.ts",
      "src/observability/logging.ts",
      "src/observability/logSettings.ts",
      "src/version.ts",
      // The native feed's protocol, and layouts of Live for Speed's packets.
      "src/simulators/drivers/native/protocol.ts",
      "src/simulators/drivers/lfs/insim.ts",
      "src/simulators/drivers/lfs/PacketStream.ts"
    ],
    because:
      "it is a product beside the service, and shares only protocols, layouts of packets and what a process needs"
  },
  demo: {
    may: [
      "simulator",
      "src/commandLine.ts",
      "src/exit.ts",
      "src/observability/logging.ts",
      "src/provision",
      "src/Settings.ts",
      "src/trpc/client.ts"
    ],
    because: "it starts the service and the simulator, and asks the service as any client does"
  },
  src: { may: [], because: "the service knows no simulator of ours, but to start it" },
  "src/commands.ts": {
    may: ["src", "demo/command.ts", "simulator/command.ts"],
    because: "it loads the command that was asked for"
  }
}
