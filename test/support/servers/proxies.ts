/** Real proxies before a service, by the examples of docs/proxies.md. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { folderOnPath } from "../../../tools/provision/onPath.ts"
import { freePorts, ready, serverProcess } from "../../../tools/provision/serverProcess.ts"
import { server } from "./server.ts"

/** Debian has some in a folder that only root's PATH has. */
const programOf = (name: string) =>
  ["/usr/sbin", folderOnPath(name) ?? ""].map((folder) => join(folder, name)).find((file) => existsSync(file))

const docs = readFileSync(new URL("../../../docs/proxies.md", import.meta.url), "utf8")

/** The example of the documentation in this language. */
const example = (language: string) => new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(docs)![1]!

interface Proxy {
  readonly program: string
  /** The file's text around the example. */
  readonly settings: (example: string, folder: string) => string
  readonly flags: (file: string) => ReadonlyArray<string>
  readonly language: string
}

const proxies = {
  nginx: {
    program: "nginx",
    language: "nginx",
    settings: (given, folder) => `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((one) => `${one}_temp_path ${folder}/${one};`).join("\n  ")}
${given}}
`,
    flags: (file) => ["-e", "stderr", "-c", file]
  },
  caddy: {
    program: "caddy",
    language: "caddyfile",
    settings: (given) => `{\n  admin off\n}\n${given}`,
    flags: (file) => ["run", "--adapter", "caddyfile", "--config", file]
  },
  haproxy: {
    program: "haproxy",
    language: "haproxy",
    settings: (given) => given,
    flags: (file) => ["-db", "-f", file]
  }
} as const satisfies Readonly<Record<string, Proxy>>

export type ProxyName = keyof typeof proxies

export const proxyHere = (name: ProxyName) =>
  server(programOf(proxies[name].program) !== undefined, `there is no ${name}`)

/** The address of the service behind the proxy, below /telemetry; until the scope ends. `bare`: the proxy takes the base off. */
export const behind = Effect.fn(function* (name: ProxyName, service: string, bare: boolean) {
  const { flags, language, program, settings } = proxies[name]
  const [own = 0] = yield* Effect.promise(() => freePorts(1))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "telemetry-proxy-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }))
  )
  const { host } = new URL(service)
  const given = example(language).replaceAll("127.0.0.1:8080", host).replaceAll("8081", String(own))
  const written = bare ? given.replace(`http://${host};`, `http://${host}/;`) : given
  const file = join(folder, "settings")
  writeFileSync(file, settings(written, folder))
  const process = yield* serverProcess(programOf(program)!, flags(file), { cwd: folder })
  const address = `http://127.0.0.1:${own}/telemetry`
  const answers = async () => (await fetch(`${address}/api/v1/health`)).ok
  yield* Effect.orDie(ready(process, () => answers().catch(() => false)))
  return address
})
