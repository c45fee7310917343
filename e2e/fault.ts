import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";

/** A request as the proxy received it. */
export interface Seen {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** `reset` is a cut that the browser sees as such (RST); `cut in headers` is one in the middle of the first of them. */
export type Outcome = Answer | "cut" | "reset" | "cut in headers" | CutInBody;

/** What happens to a request. Created by `fault`. */
export interface Effect {
  /** Whether the service receives the request. */
  readonly forward: boolean;
  /** Returns what the browser receives. `real` is the service's response, if the request was forwarded. */
  readonly answer: (real: Answer | undefined, request: Seen) => Outcome;
}

/** Half of the body arrives, then the connection breaks. */
export interface CutInBody {
  readonly cutIn: Answer;
}

/** `google.rpc.Status` code by HTTP status (AIP-193). */
const CODES: Readonly<Record<number, number>> = { 401: 16, 403: 7, 404: 5, 409: 6, 429: 8, 500: 13, 503: 14 };

const page = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><title>${status}</title><h1>Gateway</h1>`,
});

/** Faults between browser and service. `after`: the service has done the work, and only the response is lost. */
export const fault = {
  /** No fault; with `hold`, a slow service. */
  none: { forward: true, answer: (real) => real ?? "cut" },
  cutBefore: { forward: false, answer: () => "cut" },
  cutAfter: { forward: true, answer: () => "cut" },
  resetBefore: { forward: false, answer: () => "reset" },
  cutInHeaders: { forward: true, answer: () => "cut in headers" },
  /** `act` happens once the service has done the work; the response is lost. */
  cutAfterDoing: (act: () => void): Effect => ({ forward: true, answer: () => (act(), "cut") }),
  /** The connection breaks in the middle of the response body. */
  cutInBody: { forward: true, answer: (real) => (real ? { cutIn: real } : "cut") },
  /** An error in the API's own format: 429, 503 with Retry-After, 500. */
  status: (http: number, { retryAfter }: { readonly retryAfter?: number } = {}): Effect => ({
    forward: false,
    answer: () => ({
      status: http,
      headers: {
        "content-type": "application/json",
        ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
      },
      body: JSON.stringify({ code: CODES[http] ?? 2, message: `The fault proxy says ${http}.`, details: [] }),
    }),
  }),
  /** A status without a body. */
  bare: (http: number): Effect => ({
    forward: false,
    answer: () => ({ status: http, headers: {}, body: "" }),
  }),
  /** Any JSON, in place of the service's. */
  answer: (http: number, body: unknown): Effect => ({
    forward: false,
    answer: () => ({
      status: http,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }),
  html: (http: number): Effect => ({ forward: false, answer: () => page(http) }),
  htmlAfter: (http: number): Effect => ({ forward: true, answer: () => page(http) }),
  /** The first half of the JSON, as a complete response. */
  truncated: {
    forward: true,
    answer: (real) =>
      real ? { ...real, body: real.body.slice(0, Math.floor(real.body.length / 2)) } : "cut",
  },
  /** The service's response, edited. */
  edit: (change: (answer: Answer, request: Seen) => Partial<Answer>): Effect => ({
    forward: true,
    answer: (real, request) => (real ? { ...real, ...change(real, request) } : "cut"),
  }),
  /** The JSON of the service's response, edited; other responses pass unchanged. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it changes
  json: (change: (body: any, request: Seen) => unknown): Effect => ({
    forward: true,
    answer: (real, request) => {
      if (!real?.body.startsWith("{")) return real ?? "cut";
      return { ...real, body: JSON.stringify(change(JSON.parse(real.body), request)) };
    },
  }),
} satisfies Readonly<Record<string, Effect | ((...values: never[]) => Effect)>>;
