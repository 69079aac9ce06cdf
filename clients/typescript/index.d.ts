/** The types of docs/reference/openapi.json that this client uses. */
export type Verdict = "allow" | "ask" | "deny";
export type Level = "low" | "medium" | "high" | "critical";

interface Caller {
  session_id?: string;
  agent_id?: string;
  cwd?: string;
}

export interface ToolCall extends Caller {
  tool_name: string;
  tool_input: Record<string, unknown>;
  /** The same id is the same call: asked again, it gets the same answer. */
  tool_use_id?: string;
  tool_description?: string;
  tool_schema?: Record<string, unknown>;
  tool_annotations?: Record<string, unknown>;
}

export interface FunctionCall extends Caller {
  function: string;
  args?: unknown[];
  kwargs?: Record<string, unknown>;
  docstring?: string;
  hints?: Record<string, boolean | number>;
}

export type Call = ToolCall | FunctionCall;

export interface Finding {
  detector: string;
  category: string;
  evidence: string;
}

export interface Decision {
  /** True only where the call may run. */
  allowed: boolean;
  status: "decided" | "refused";
  verdict: Verdict;
  level: Level;
  reason: string;
  /** A milder form, "" where none is known. */
  instead: string;
  risk?: number;
  threat?: number;
  findings?: Finding[];
  decided_by?: string;
  decision_id?: string;
}

export interface TextToInspect {
  kind: "result" | "description";
  tool: string;
  /** At most 262,144 characters. */
  text: string;
}

export interface Options {
  /** Default `http://127.0.0.1:4440`. */
  url?: string;
  /** Default: the token of this user's installation. */
  token?: string;
  /** Milliseconds a call waits for people, default 310,000. */
  timeoutMs?: number;
  session?: string;
  agent?: string;
  cwd?: string;
}

export declare class Denied extends Error {
  readonly decision: Decision;
  constructor(decision: Decision);
}

export declare function localToken(): Promise<string>;

export declare class Signoff {
  constructor(options?: Options);
  check(call: Call): Promise<Decision>;
  guard<T>(call: Call, run: () => T | Promise<T>): Promise<T>;
  inspect(texts: TextToInspect[]): Promise<{ findings: Finding[] }[]>;
}
