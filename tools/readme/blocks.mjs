/** README.md as its code blocks, each with the heading that it stands under and the prose before it. */

/**
 * @typedef {object} Block
 * @property {string} heading
 * @property {string} prose The paragraphs between the block before and this one.
 * @property {string} language
 * @property {string} code
 * @property {number} line Of its first line of code, from 1.
 */

/**
 * @param {string} text
 * @returns {ReadonlyArray<Block>}
 */
export const blocksOf = (text) => {
  /** @type {Array<Block>} */
  const blocks = []
  let heading = ""
  let prose = ""
  /** @type {{ language: string, lines: Array<string>, line: number } | undefined} */
  let open
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(\w*)$/.exec(line)
    if (open === undefined && fence !== null) open = { language: fence[1] ?? "", lines: [], line: index + 2 }
    else if (open !== undefined && line === "```") {
      blocks.push({ heading, prose, language: open.language, code: open.lines.join("\n"), line: open.line })
      open = undefined
      prose = ""
    } else if (open !== undefined) open.lines.push(line)
    else if (line.startsWith("## ")) {
      heading = line.slice(3)
      prose = ""
    } else prose += `${line}\n`
  }
  return blocks
}
