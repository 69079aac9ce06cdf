// signoff: written by `signoff install opencode`. Every tool call is put to signoff first; whatever
// is not exactly an allow, and every failure, throws, which is how OpenCode is told no.
import { spawn } from "node:child_process"

const GUARD = "the command"
const LIMIT_MS = 615_000
const LIMIT_CHARS = 65_536

function decide(call) {
  return new Promise((resolve, reject) => {
    const child = spawn(GUARD[0], GUARD.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
    const refuse = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      reject(new Error(`signoff: cannot decide, so it is refused: ${why}`))
    }
    const timer = setTimeout(() => refuse("no answer in time"), LIMIT_MS)
    let said = ""
    let words = ""
    child.on("error", (error) => refuse(error.message))
    child.stdin.on("error", () => {}) // a guard that does not read ends without an answer
    child.stdout.on("data", (piece) => {
      said += piece
      if (said.length > LIMIT_CHARS) refuse("too long an answer")
    })
    child.stderr.on("data", (piece) => {
      if (words.length < LIMIT_CHARS) words += piece
    })
    child.on("close", (code) => {
      if (code !== 0) return refuse(words.trim() || `the guard ended with ${code}`)
      clearTimeout(timer)
      try {
        resolve(JSON.parse(said))
      } catch {
        refuse("the guard said nothing")
      }
    })
    child.stdin.end(JSON.stringify(call))
  })
}

export const Signoff = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await decide({
      tool: input.tool,
      args: output.args ?? {},
      sessionID: input.sessionID,
      callID: input.callID,
      directory,
    })
    if (answer?.decision !== "allow") throw new Error(answer?.reason || "signoff: refused")
    if (!answer.args) return
    // What a person has made of the call: in place, as the host keeps the object it gave us.
    for (const name of Object.keys(output.args)) delete output.args[name]
    Object.assign(output.args, answer.args)
  },
})
