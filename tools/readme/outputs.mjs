/** What a command of README must have answered: judged by what the command is, not by what it answered before. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** @param {string} text */
const parsed = (text) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * JSON that is an answer, and not an error's.
 * @param {string} text
 */
const wrongJson = (text) => {
  const value = parsed(text)
  if (value === undefined) return `not JSON: ${text.slice(0, 300)}`
  return typeof value === "object" && value !== null && "detail" in value ? `an error: ${text}` : undefined
}

/** @param {string} text */
const wrongCsv = (text) => {
  const [header = "", ...rows] = text.trim().split("\n")
  const width = header.split(",").length
  if (width < 10 || rows.length === 0) return `not CSV: ${text.slice(0, 300)}`
  return rows.every((row) => row.split(",").length === width) ? undefined : `rows of another width: ${text}`
}

/**
 * A file that the command saved, whose name stands in its comment (`# lap-1.csv`).
 * @param {string} command
 * @param {string} folder
 */
const wrongFile = (command, folder) => {
  const name = /# (\S+\.(?:arrows|csv|json|ndjson))$/.exec(command)?.[1]
  if (name === undefined) return "the comment does not name the file"
  const path = join(folder, name)
  if (!existsSync(path)) return `${name} was not saved`
  const text = readFileSync(path, "utf8")
  if (name.endsWith(".csv")) return wrongCsv(text)
  if (name.endsWith(".json")) return wrongJson(text)
  if (name.endsWith(".ndjson")) {
    return text
      .trimEnd()
      .split("\n")
      .map(wrongJson)
      .find((wrong) => wrong !== undefined)
  }
  // The marker that each message of Arrow begins with.
  return readFileSync(path).subarray(0, 4).equals(Buffer.alloc(4, 0xff)) ? undefined : `not Arrow: ${name}`
}

/**
 * Live messages, one a line.
 * @param {string} text
 */
const wrongMessages = (text) => {
  const lines = text.trim().split("\n")
  const messages = lines.map(parsed)
  if (messages.includes(undefined)) return `not JSON: ${text.slice(0, 300)}`
  const telemetry = messages.filter(({ type }) => type === "telemetry").length
  return telemetry >= 3 ? undefined : `${telemetry} messages of telemetry: ${text.slice(0, 300)}`
}

/**
 * What is wrong, or undefined.
 * @param {string} command
 * @param {import("./Shell.mjs").Ended} ended
 * @param {string} folder Where it ran.
 * @returns {string | undefined}
 */
export const wrongWith = (command, { errors, output, status }, folder) => {
  if (status !== 0) return `status ${status}: ${output}${errors}`
  // A server's error in a variable would show in the next command at the earliest.
  if (/^\w+=\$\(/.test(command) && output.trim() !== "") return `it wrote: ${output}`
  const shown = /# (\{.*\})$/.exec(command)?.[1]
  if (shown !== undefined && output.trim() !== shown) return `README shows ${shown}, it was ${output}`
  if (command.startsWith("node ")) return wrongMessages(output)
  if (!command.startsWith("curl ")) return undefined
  if (command.includes("-sOJ")) return wrongFile(command, folder)
  return command.includes("text/csv") ? wrongCsv(output) : wrongJson(output)
}
