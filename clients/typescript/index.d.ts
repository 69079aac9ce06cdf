import type * as api from "./api.js";

export type {
  Call,
  Factor,
  Finding,
  FunctionCall,
  HttpRequest,
  InspectedTexts,
  Operation,
  TextsToInspect,
  ToolCall,
} from "./api.js";

export type Verdict = api.Decision["verdict"];
export type Level = api.Decision["level"];
export type TextToInspect = api.TextsToInspect["texts"][number];
export type InspectedText = api.InspectedTexts["texts"][number];

/** What the daemon says; where it could not be asked, a refusal with the reason alone. */
export type Decision = Partial<api.Decision> &
  Pick<api.Decision, "status" | "verdict" | "level" | "reason" | "instead"> & {
    /** True only where the call may run. */
    allowed: boolean;
  };

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
  check(call: api.Call): Promise<Decision>;
  guard<T>(call: api.Call, run: () => T | Promise<T>): Promise<T>;
  inspect(texts: TextToInspect[]): Promise<InspectedText[]>;
}
