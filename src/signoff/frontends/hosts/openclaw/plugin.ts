// signoff: written by `signoff install openclaw`. Every tool call is put to signoff first; an ask
// becomes OpenClaw's own approval, and whatever is neither an allow nor an ask blocks the call.
// OpenClaw goes on without a hook that is too slow, so this one runs against a shorter timer.
import { spawn } from "node:child_process"
import { definePluginEntry } from "openclaw/plugin-sdk/plugin-entry"

const GUARD = "the command"
const HOST_LIMIT_MS = 620_000
const LIMIT_MS = 615_000
const LIMIT_CHARS = 65_536
const APPROVAL_MS = 300_000

function decide(call) {
  return new Promise((resolve) => {
    const child = spawn(GUARD[0], GUARD.slice(1), { stdio: ["pipe", "pipe", "pipe"] })
    const refuse = (why) => {
      clearTimeout(timer)
      child.kill("SIGKILL")
      resolve({ reason: `signoff: cannot decide, so it is refused: ${why}` })
    }
    const timer = setTimeout(() => refuse("no answer in time"), LIMIT_MS)
    let said = ""
    child.on("error", (error) => refuse(error.message))
    child.stdin.on("error", () => {})
    child.stderr.resume()
    child.stdout.on("data", (piece) => {
      said += piece
      if (said.length > LIMIT_CHARS) refuse("too long an answer")
    })
    child.on("close", (code) => {
      if (code !== 0) return refuse(`the guard ended with ${code}`)
      clearTimeout(timer)
      try {
        resolve(JSON.parse(said) ?? {})
      } catch {
        refuse("the guard said nothing")
      }
    })
    child.stdin.end(JSON.stringify(call))
  })
}

async function judge(event, ctx) {
  try {
    const answer = await decide({
      toolName: event.toolName,
      params: event.params ?? {},
      toolCallId: event.toolCallId,
      sessionId: ctx?.sessionId,
      agentId: ctx?.agentId,
    })
    if (answer.decision === "allow") return answer.params ? { params: answer.params } : undefined
    const reason = answer.reason || "signoff: refused"
    if (answer.decision !== "ask") return { block: true, blockReason: reason }
    return {
      requireApproval: {
        title: `signoff: ${event.toolName}`,
        description: reason,
        severity: "warning",
        timeoutMs: APPROVAL_MS,
        timeoutBehavior: "deny",
        allowedDecisions: ["allow-once", "deny"],
      },
    }
  } catch (error) {
    return { block: true, blockReason: `signoff: cannot decide, so it is refused: ${error}` }
  }
}

export default definePluginEntry({
  id: "signoff",
  name: "signoff",
  description: "Puts every tool call to signoff",
  register(api) {
    api.on("before_tool_call", judge, { priority: 1000, timeoutMs: HOST_LIMIT_MS })
  },
})
