// Asks signoff's daemon whether a call may run. Every failure is a refusal: only a whole answer of
// status 200 that says `decided` and `allow` lets anything go. Node 20 or later, no dependencies.
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const URL_OF_DAEMON = "http://127.0.0.1:4440";
const ANSWER_LIMIT = 4 << 20; // characters
const WAIT_S = 30; // for which one request waits for people
const ONE_REQUEST_MS = 45_000;
const RETRY_MS = 1_000;

/** A call that may not run; `decision` says why. */
export class Denied extends Error {
  constructor(decision) {
    super(decision.instead ? `${decision.reason}. Instead: ${decision.instead}.` : decision.reason);
    this.name = "Denied";
    this.decision = decision;
  }
}

/** Returns the token of this user's installation. */
export async function localToken() {
  const state = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
  const mac = join(homedir(), "Library", "Application Support");
  const folder = process.platform === "darwin" && !process.env.XDG_STATE_HOME ? mac : state;
  const own = process.env.SIGNOFF_STATE_DIR || join(folder, "signoff");
  return (await readFile(join(own, "token"), "utf8")).trim();
}

/** The daemon, as one agent's program sees it. */
export class Signoff {
  #url;
  #token;
  #timeoutMs;
  #names;

  constructor({ url = URL_OF_DAEMON, token, timeoutMs = 310_000, session, agent, cwd } = {}) {
    this.#url = url.replace(/\/+$/, "");
    this.#token = token;
    this.#timeoutMs = timeoutMs;
    this.#names = { session_id: session, agent_id: agent, cwd: cwd ?? process.cwd() };
  }

  /** Decides about one call, and waits for people where they are asked; never throws. */
  async check(call) {
    const until = Date.now() + this.#timeoutMs;
    try {
      let answer = await this.#request("POST", "/v1/actions", { ...this.#names, ...call }, until);
      while (answer.status === 202) {
        const id = encodeURIComponent(answer.said.id);
        const left = Math.min(WAIT_S, Math.floor((until - Date.now()) / 1_000) - 1);
        if (left < 1) return refused("nobody answered in time");
        answer = await this.#patient(`/v1/actions/${id}?wait=${left}`, until);
      }
      const { status, said } = answer;
      if (status !== 200) return refused(said.reason || `the daemon answers ${status}`);
      if (said.status !== "decided" || typeof said.verdict !== "string") {
        return refused("the daemon's answer cannot be read");
      }
      return { ...said, allowed: said.verdict === "allow" };
    } catch (error) {
      return refused(`cannot decide, so it is refused: ${error?.message ?? error}`);
    }
  }

  /** Runs `run` if the call may run; else throws Denied. */
  async guard(call, run) {
    const decision = await this.check(call);
    if (decision.allowed !== true) throw new Denied(decision);
    return run();
  }

  /** Finds orders to the model and secrets in texts; throws if they could not be read. */
  async inspect(texts) {
    const until = Date.now() + ONE_REQUEST_MS;
    const { status, said } = await this.#request("POST", "/v1/inspections", { texts }, until);
    if (status !== 200 || !Array.isArray(said.texts) || said.texts.length !== texts.length) {
      throw new Error(`signoff: the texts could not be read (${status})`);
    }
    return said.texts;
  }

  /** Asks again while the connection fails: the request itself stays open. */
  async #patient(path, until) {
    for (;;) {
      try {
        return await this.#request("GET", path, undefined, until);
      } catch (error) {
        if (Date.now() + RETRY_MS >= until) throw error;
        await new Promise((done) => setTimeout(done, RETRY_MS));
      }
    }
  }

  async #request(method, path, body, until) {
    this.#token ??= await localToken();
    const answer = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: "error",
      signal: AbortSignal.timeout(Math.max(1, Math.min(ONE_REQUEST_MS, until - Date.now()))),
    });
    const text = await answer.text();
    if (text.length > ANSWER_LIMIT) throw new Error("the answer is too long");
    const said = JSON.parse(text);
    if (said === null || typeof said !== "object") throw new Error("the answer is no object");
    return { status: answer.status, said };
  }
}

function refused(reason) {
  return { allowed: false, status: "refused", verdict: "deny", level: "critical", reason, instead: "" };
}
