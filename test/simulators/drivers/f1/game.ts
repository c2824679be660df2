import { F1Emulator } from "../../../../simulator/emulators/f1/F1Emulator.ts"
import { protocol } from "../../../../src/simulators/drivers/f1/F1Driver.ts"
import type { F1Format } from "../../../../src/simulators/drivers/f1/layout.ts"
import { type Expected, type Kind, pushed } from "../suite/kind.ts"

const expected: Expected = { circuit: "", vehicle: "", channels: 0, refused: [] }

const inFormat = (format: F1Format) =>
  pushed(`f1-${format}`, (scene) => new F1Emulator(scene, format), protocol, expected, { sectors: true })

export const kinds: ReadonlyArray<Kind> = [inFormat(2025)]

export const variants: ReadonlyArray<Kind> = [inFormat(2023), inFormat(2024), inFormat(2026)]
