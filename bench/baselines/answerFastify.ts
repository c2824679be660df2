/**
 * The usual way: fastify, with a handler that returns an object. Prints where it listens.
 *
 *   node answerFastify.js PATH BODY
 */
import { fastify } from "fastify"

const [path, text] = process.argv.slice(2) as [string, string]
const answer: unknown = JSON.parse(text)

const app = fastify()
app.get(path, async () => answer)
console.log(await app.listen({ host: "127.0.0.1", port: 0 }))
