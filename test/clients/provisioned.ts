/**
 * Tools that generate and run clients: packages of Python and npm in the versions that stand beside this file, fetched once and
 * kept outside the repository. If they are not available, a sentence gives the reason; in CI that is a failure.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { filled, installPython, programs } from "../../tools/provision/packages.ts"
import type { Need } from "../support/needing.ts"
import { server } from "../support/servers/server.ts"

export { programs }

export const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** A folder with packages, or the reason why there is none. */
export interface Provisioned extends Need {
  readonly folder: string
}

const provisioned = (
  kind: string,
  files: ReadonlyArray<string>,
  fill: (folder: string) => void
): Provisioned => {
  const wanted = files.map((file) => readFileSync(here(file)))
  const { folder, missing } = filled(kind, wanted, fill)
  return { folder, ...server(missing === undefined, `there are no clients in ${kind}: ${missing}`) }
}

const requirements = "python/requirements.txt"

export const python = provisioned("python", [requirements], (folder) =>
  installPython(folder, ["-r", here(requirements)])
)

const calculatingRequirements = "python/calculating.txt"

/** The programs of people who calculate. */
export const calculating = provisioned("calculating", [calculatingRequirements], (folder) =>
  installPython(folder, ["-r", here(calculatingRequirements)])
)

const GENERATOR = "org.openapitools:openapi-generator-cli:7.17.0"

/** A program of Java, `openapi-generator.jar` in its folder. */
export const openapiGenerator = (() => {
  const { folder, missing } = filled("openapi-generator", [GENERATOR], (folder) => {
    const copy = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"
    const args = [copy, `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`, "-Dmdep.stripVersion=true"]
    execFileSync("mvn", ["--quiet", "--batch-mode", ...args], { stdio: ["ignore", "pipe", "pipe"] })
  })
  return { folder, ...server(missing === undefined, `there is no openapi-generator: ${missing}`) }
})()

/** The compiler of Go, which fetches the modules that a program names by itself. */
export const go = (() => {
  const { missing } = filled("go", [], () => execFileSync("go", ["version"], { stdio: "pipe" }))
  return server(missing === undefined, `there is no Go: ${missing}`)
})()

const CODEGEN = "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2"

/** A program of Go, `oapi-codegen` in its folder. */
export const oapiCodegen = (() => {
  const { folder, missing } = filled("oapi-codegen", [CODEGEN], (folder) => {
    const env = { ...process.env, GOBIN: folder, GOFLAGS: "-mod=mod" }
    execFileSync("go", ["install", CODEGEN], { stdio: ["ignore", "ignore", "pipe"], env })
  })
  return { folder, ...server(missing === undefined, `there is no oapi-codegen: ${missing}`) }
})()

const manifests = ["package.json", "package-lock.json"]

export const typescript = provisioned(
  "typescript",
  manifests.map((file) => `typescript/${file}`),
  (folder) => {
    for (const file of manifests) copyFileSync(here(`typescript/${file}`), join(folder, file))
    // npm is a script, which only a shell starts on Windows.
    const args = ["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    const shell = process.platform === "win32"
    execFileSync("npm", args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"], shell })
  }
)
