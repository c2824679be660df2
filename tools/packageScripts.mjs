/** What a package has besides the program: the script that starts it, and what is to be read first. */
import { PROGRAM } from "./program.mjs"

/** From wherever it is called, also by a link. */
const SHELL = `#!/bin/sh
self=$0
case $self in */*) ;; *) self=./$self ;; esac
while [ -h "$self" ]; do
  link=$(readlink "$self")
  case $link in
    /*) self=$link ;;
    *) self=\${self%/*}/$link ;;
  esac
done
folder=$(CDPATH= cd -- "\${self%/*}" && pwd)
exec "$folder/node" "$folder/${PROGRAM}/main.js" "$@"
`

const MAIN = `"%~dp0node.exe" "%~dp0${PROGRAM.replaceAll("/", "\\")}\\main.js"`

/**
 * Explorer starts it by `cmd /c`, and its window closes when that ends: then the pages are opened, and a failure can be read. Data do not
 * lie beside the program: the folder may be read-only (Program Files), or be synchronized while the database changes (OneDrive).
 */
const BATCH = `@echo off
setlocal DisableDelayedExpansion
set "TELEMETRY_DEFAULT_DATA=%LOCALAPPDATA%\\telemetry"
if not "%~1"=="" goto run
setlocal EnableDelayedExpansion
set "line=!cmdcmdline!"
if not "!line:/c=!"=="!line!" endlocal & goto clicked
endlocal
:run
${MAIN} %*
goto :eof
:clicked
${MAIN} --open || pause
`.replaceAll("\n", "\r\n")

/**
 * Their texts, by their names.
 * @param {string} version
 * @param {string} platform
 * @param {string} arch
 * @returns {Readonly<Record<string, string>>}
 */
export const scripts = (version, platform, arch) => {
  const windows = platform === "win32"
  const command = windows ? "telemetry" : "./telemetry"
  const readme = `Telemetry session service ${version}, for ${platform} on ${arch}.

Nothing else is needed. In this folder:

  ${command} demo      the service with a simulator, to look at: http://127.0.0.1:8080
  ${command}           the service
  ${command} --help    every command and setting

It keeps what it records in ${windows ? "%LOCALAPPDATA%\\telemetry" : "the folder data, beside where it is started"}. Licences: LICENSE, LICENSE-node,
${PROGRAM}/LICENSES.txt, node_modules/*/LICENSE.
`
  return windows
    ? { "telemetry.cmd": BATCH, "README.txt": readme.replaceAll("\n", "\r\n") }
    : { telemetry: SHELL, "README.txt": readme }
}
