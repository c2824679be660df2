/**
 * Packages of registries for tests and benchmarks, fetched once and kept outside the repository. Where they cannot be
 * fetched, a sentence says why.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { cacheFolder } from "./serverProcess.ts"

const windows = process.platform === "win32"

export interface Filled {
  readonly folder: string
  /** Why the packages are missing. */
  readonly missing: string | undefined
}

const failure = (error: unknown) => {
  const { message, stderr } = error as Error & { readonly stderr?: Buffer }
  return (stderr?.toString().trim().split("\n").at(-1) ?? "") || message
}

/**
 * A folder of the cache that `fill` has filled, now or before. Other packages or versions in `wanted` give another
 * folder.
 */
export const filled = (
  kind: string,
  wanted: ReadonlyArray<string | Buffer>,
  fill: (folder: string) => void
): Filled => {
  const hash = createHash("sha256").update(process.version)
  for (const part of wanted) hash.update(part)
  const folder = join(cacheFolder, `${kind}-${hash.digest("hex").slice(0, 12)}`)
  const whole = join(folder, ".whole")
  try {
    if (!existsSync(whole)) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      fill(folder)
      writeFileSync(whole, "")
    }
  } catch (error) {
    return { folder, missing: failure(error) }
  }
  return { folder, missing: undefined }
}

const quietly = (command: string, args: ReadonlyArray<string>) =>
  execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] })

/** The packages run on Python 3.10 or later. */
const pythonCommand = (): string => {
  const found = ["python3", "python"].find((command) => {
    try {
      quietly(command, ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"])
      return true
    } catch {
      return false
    }
  })
  if (found === undefined) throw new Error("there is no Python of 3.10 or newer")
  return found
}

/** The folder of programs in a virtual environment. */
export const programs = (folder: string): string => join(folder, windows ? "Scripts" : "bin")

/** Makes a virtual environment; `wanted` are the arguments of `pip install`. */
export const installPython = (folder: string, wanted: ReadonlyArray<string>): void => {
  quietly(pythonCommand(), ["-m", "venv", folder])
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
  quietly(join(programs(folder), "python"), [...pip, ...wanted])
}
