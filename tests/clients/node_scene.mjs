// Plays one scene with the client and prints what came of it as JSON.
import { Denied, Signoff } from "../../clients/typescript/index.js";

const [url, token, timeoutMs, calls] = process.argv.slice(2);
const signoff = new Signoff({ url, token, timeoutMs: Number(timeoutMs), session: "node" });
const told = [];
for (const call of JSON.parse(calls)) {
  if (call.texts) {
    told.push(await signoff.inspect(call.texts).catch((error) => ({ error: error.message })));
    continue;
  }
  let ran = false;
  try {
    await signoff.guard(call, () => { ran = true; });
    told.push({ ran });
  } catch (error) {
    told.push({ ran, denied: error instanceof Denied, message: error.message });
  }
}
console.log(JSON.stringify(told));
