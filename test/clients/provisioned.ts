/**
 * What generates and runs clients: packages of Python and npm in the versions that stand beside this file, fetched once and
 * kept outside the repository. Where they cannot be had, a sentence says why; in CI that is a failure.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { cacheFolder } from "../../src/provision/serverProcess.ts"
import type { Need } from "../runner/needing.ts"
import { server } from "../servers/server.ts"

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const windows = process.platform === "win32"

/** A folder with packages, or why there is none. */
export interface Provisioned extends Need {
  readonly folder: string
}

const failure = (error: unknown) => {
  const { message, stderr } = error as Error & { readonly stderr?: Buffer }
  return (stderr?.toString().trim().split("\n").at(-1) ?? "") || message
}

/** A folder of the cache that `fill` has filled, now or before; it is another one when `files` change. */
const filled = (kind: string, files: ReadonlyArray<string>, fill: (folder: string) => void): Provisioned => {
  const hash = createHash("sha256").update(process.version)
  for (const file of files) hash.update(readFileSync(here(file)))
  const folder = join(cacheFolder, `${kind}-${hash.digest("hex").slice(0, 12)}`)
  const whole = join(folder, ".whole")
  let missing: string | undefined
  try {
    if (!existsSync(whole)) {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
      fill(folder)
      writeFileSync(whole, "")
    }
  } catch (error) {
    missing = failure(error)
  }
  return { folder, ...server(missing === undefined, `there are no clients in ${kind}: ${missing}`) }
}

const quietly = (command: string, args: ReadonlyArray<string>, cwd?: string) =>
  execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"], ...(cwd === undefined ? {} : { cwd }) })

/** 3.10 is the oldest that openapi-python-client runs on. */
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

/** Where a virtual environment keeps its programs. */
export const programs = (folder: string) => join(folder, windows ? "Scripts" : "bin")

export const python = filled("python", ["python/requirements.txt"], (folder) => {
  quietly(pythonCommand(), ["-m", "venv", folder])
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
  quietly(join(programs(folder), "python"), [...pip, "-r", here("python/requirements.txt")])
})

const manifests = ["package.json", "package-lock.json"]

export const typescript = filled(
  "typescript",
  manifests.map((file) => `typescript/${file}`),
  (folder) => {
    for (const file of manifests) copyFileSync(here(`typescript/${file}`), join(folder, file))
    // npm is a script, which only a shell starts on Windows.
    const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], shell: windows })
  }
)
