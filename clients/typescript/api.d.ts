/** The types of docs/reference/openapi.json: made by `python -m bench.openapi --types`. */

export interface ToolCall {
  tool_name: string;
  tool_input: Record<string, unknown>;
  tool_use_id?: string;
  tool_description?: string;
  tool_schema?: Record<string, unknown>;
  tool_annotations?: Record<string, unknown>;
  session_id?: string;
  agent_id?: string;
  cwd?: string;
  home?: string;
  project?: string;
  prior_calls?: number;
  id?: string | number | null;
}

export interface FunctionCall {
  function: string;
  args?: unknown[];
  kwargs?: Record<string, unknown>;
  docstring?: string;
  hints?: Record<string, boolean | number>;
  session_id?: string;
  agent_id?: string;
  cwd?: string;
  home?: string;
  project?: string;
  prior_calls?: number;
  id?: string | number | null;
}

export interface HttpRequest {
  hook_event_name: "HttpRequest";
  method: string;
  path?: string;
  query?: Record<string, unknown>;
  headers?: Record<string, unknown>;
  body?: unknown;
  client_ip?: string;
  session_id?: string;
  agent_id?: string;
  cwd?: string;
  home?: string;
  project?: string;
  prior_calls?: number;
  id?: string | number | null;
}

export type Call = ToolCall | FunctionCall | HttpRequest;

export interface Factor {
  name: string;
  raw: number;
  weight: number;
  contribution: number;
  evidence: string;
}

export interface Finding {
  detector: string;
  category: string;
  severity: "low" | "medium" | "high" | "critical";
  confidence: number;
  evidence: string;
}

export interface Operation {
  verb: "inert" | "read" | "write" | "delete" | "execute" | "network-in" | "network-out" | "install" | "publish" | "control" | "configure" | "privilege" | "persist" | "spend";
  thing: "nothing" | "file" | "device" | "repository" | "database" | "process" | "service" | "machine" | "network" | "account" | "package" | "container" | "image" | "volume" | "cluster" | "cloud" | "backup" | "credential" | "url" | "message" | "code" | "money" | "setting" | "protection" | "guard";
  target: string;
  path: string;
  reach: "none" | "temp" | "project" | "loopback" | "elsewhere" | "home" | "remote" | "system" | "production" | "guard" | "unknown";
  file_kind: "other" | "source" | "test" | "doc" | "data" | "generated" | "log" | "lock" | "manifest" | "build" | "ci" | "container" | "infra" | "git-hook" | "git-internal" | "tool-config" | "editor-config" | "agent-config" | "agent-notes" | "shell-startup" | "schedule" | "authorized-keys" | "credentials" | "env" | "shell-history" | "system-config" | "system-binary" | "accounts" | "boot" | "audit-log" | "backup" | "device" | "kernel" | "guard";
  traits: ("broad" | "recursive" | "forced" | "partial" | "named" | "rebuildable" | "dry-run" | "loses-work" | "loses-history" | "unbounded" | "schema-loss" | "whole-store" | "bulk" | "as-root" | "in-container" | "on-remote-host" | "remote-code" | "untrusted-source" | "decoded" | "written-now" | "fetched" | "built" | "inline" | "reverse-shell" | "listens" | "reads-secret" | "holds-secret" | "sends-secret" | "sends-files" | "covert" | "metadata-host" | "private-host" | "backdoor" | "blinds" | "weakens" | "opens-access" | "fork-bomb" | "exhausts" | "runs-later" | "environment" | "global" | "by-pattern" | "costs" | "hidden" | "protected-branch" | "by-name" | "guard-tree" | "self-approval")[];
  reversible: boolean;
  understood: boolean;
  program: string;
  carriers: string[];
  why: string;
}

export interface Decision {
  id: string | number | null;
  verdict: "allow" | "ask" | "deny";
  level: "low" | "medium" | "high" | "critical";
  risk: number;
  factors: Factor[];
  threat: number;
  findings: Finding[];
  operations: Operation[];
  rule: string | null;
  challenge: "auto-approve" | "confirm" | "quiz" | "teach-back" | "multi-party";
  reason: string;
  instead: string;
  status: "decided" | "refused";
  decided_by: string;
  decision_id: string;
  digest: string;
  request_id: string;
}

export interface Pending {
  id: string;
  status: "pending";
  request_id: string;
}

export interface TextsToInspect {
  texts: {
    kind: "result" | "description";
    tool: string;
    text: string;
  }[];
}

export interface InspectedTexts {
  texts: {
    findings: {
      detector: string;
      category: string;
      evidence: string;
    }[];
  }[];
}

export interface Health {
  status: string;
  version: string;
  reason?: string;
  channels?: Record<string, string>;
}

export interface Status {
  version: string;
  pid: number;
  uptime_s?: number;
  record?: string;
  decisions: number;
  pending: number;
  sessions: number;
  locks: string[];
  in_force?: Record<string, unknown>[];
  channels?: Record<string, string>;
  mode?: string;
  notices?: string[];
  problems: string[];
  last_error?: string;
}

export interface Sessions {
  sessions: Record<string, unknown>[];
}
