/**
 * `npm run test:readme`: runs the code blocks of README.md and docs/clients.md as committed, in order, in one shell in a fresh
 * clone. A comment before each block says how to run it, and which text its output must have:
 *
 *     <!-- run: shows TEXT -->               once
 *     <!-- run: eventually shows TEXT -->    repeatedly until it does
 *     <!-- run: stays, shows TEXT -->        in the background to the end
 *     <!-- not run: REASON -->
 *
 * A block of TypeScript becomes a file in examples/. A command that fails, a text that is missing and a block without a comment
 * end the run. It needs bash, curl, git, npm's registry, and the ports 8080 and 9100.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "./parts.mjs"

const DOCUMENTS = ["README.md", "docs/clients.md"]

/** A block is tried so many times, a second apart: far above the time of two laps. */
const TRIES = 300

/** Far above the time to install, build, and drive two laps. */
const WITHIN_MS = 30 * 60_000

const BLOCK = /^(?:<!-- (not )?run: (.*?) -->\n\n)?```(\w*)\n(.*?)\n```$/gms
const HOW = /^(stays, |eventually |)shows (.*)$/

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`

/**
 * A document's blocks as commands of bash.
 * @param {string} name
 * @param {string} text
 */
export const scriptOf = (name, text) =>
  [...text.matchAll(BLOCK)]
    .map(([whole, not, directive, language, code = ""]) => {
      const begin = text.indexOf(whole)
      const at = `${name}:${text.slice(0, begin + whole.indexOf("```")).split("\n").length}`
      const [, how, shows = ""] = HOW.exec(directive ?? "") ?? []
      if (not !== undefined) return `echo ${quoted(`${at} not run: ${directive}`)}`
      if (how === undefined)
        throw new Error(`${at}: a comment must say how this block is run (tools/readme.mjs)`)
      const typed =
        language === "ts"
          ? [
              "cat > examples/snippet.ts <<'END'",
              code,
              "END",
              "npm run --silent build client",
              "npm run --silent node examples/snippet.ts"
            ].join("\n")
          : code
      const found = `grep -qF -- ${quoted(shows)} "$OUT"`
      const lines = [`echo ${quoted(at)}`]
      if (how === "stays, ")
        lines.push(
          `{\n${typed}\n} > "$STAYS" 2>&1 &`,
          "DEMO=$!",
          `OUT=$STAYS; until ${found}; do kill -0 $DEMO; sleep 1; done; OUT=$NEXT`
        )
      else {
        if (how === "eventually ")
          lines.push(
            `for _ in $(seq ${TRIES}); do if (\n${typed}\n) > "$OUT" 2>&1 && ${found}; then break; fi; sleep 1; done`
          )
        lines.push(`{\n${typed}\n} > "$OUT" 2>&1`, found)
      }
      return lines.join("\n")
    })
    .join("\n")

const BEGIN = `set -em
for port in 8080 9100; do
  if (: < /dev/tcp/127.0.0.1/$port) 2> /dev/null; then echo "Port $port is in use"; exit 1; fi
done
NEXT=$(mktemp); STAYS=$(mktemp); OUT=$NEXT
ended() {
  status=$?
  [ $status = 0 ] || cat "$OUT"
  [ -z "$DEMO" ] || kill -INT -- "-$DEMO" 2> /dev/null || true
  rm -f "$NEXT" "$STAYS"
  exit $status
}
trap ended EXIT`

const END = `echo 'Ctrl+C'
kill -INT -- "-$DEMO"
wait $DEMO || true
DEMO=
test -s data/telemetry.sqlite
if curl -s "$API/health"; then echo 'The service still runs'; exit 1; fi
echo 'README.md holds'`

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const folder = mkdtempSync(join(tmpdir(), "telemetry-readme-"))
  /** Settings of npm for this script are not part of a newcomer's environment. */
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|INIT_CWD$|NODE_ENV$|TELEMETRY_|OTEL_)/.test(name))
  )
  try {
    const clone = join(folder, "clone")
    spawnSync("git", ["clone", "--quiet", "--no-hardlinks", root, clone], { stdio: "inherit" })
    const blocks = DOCUMENTS.map((name) => scriptOf(name, readFileSync(join(clone, name), "utf8")))
    const { status } = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-c", [BEGIN, ...blocks, END].join("\n")],
      {
        cwd: clone,
        env,
        stdio: ["ignore", "inherit", "inherit"],
        timeout: WITHIN_MS
      }
    )
    process.exitCode = status ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 500 })
  }
}
