/** The package's start script, and its text to read first. */
import { PROGRAM } from "./program.mjs"

/** Works from any folder, and through a link. */
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
 * Explorer runs the script with `cmd /c`, and closes its window when it ends: so it opens the pages, and waits after a failure. Data
 * do not lie next to the program: the folder may be read-only (Program Files), or synchronized while the database changes (OneDrive).
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
 * The texts, by file name.
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
