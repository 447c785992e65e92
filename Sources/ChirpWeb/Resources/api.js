// Calls of the hub's own API from its pages.
import { facts, prefix } from "./words.js";

/** What the server has refused. `type` is the last part of the problem's kind, `fields` what is wrong with each. */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail ?? problem.title ?? String(status));
    this.status = status;
    this.detail = problem.detail ?? "";
    this.type = String(problem.type ?? "").split("/").pop();
    this.fields = problem.errors ?? {};
  }
}

/** Sends JSON, or nothing, and gives the answer's JSON, or null. Throws `Refusal`; a `TypeError` means that the network is away. */
export async function call(method, path, body, signal) {
  const headers = { Accept: "application/json", "X-Chirp-Form": facts.token ?? "" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const answer = await fetch(prefix + path, {
    method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin",
  });
  const text = await answer.text();
  let json = null;
  try {
    json = text ? JSON.parse(text) : null;
  } catch {
    // A proxy in between may answer with a page.
  }
  if (!answer.ok) throw new Refusal(answer.status, json ?? {});
  return json;
}

/** Counts what happens, by a name of the hub's fixed list and without a person. It never matters to a page whether that worked. */
export function counted(name) {
  if (navigator.onLine) call("POST", "/api/hub/v1/count", { name }).catch(() => {});
}
