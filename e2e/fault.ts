import type { OutgoingHttpHeaders } from "node:http";

/** A request as the proxy received it. */
export interface Seen {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** What happens to a request. Made by `fault`. */
export interface Effect {
  /** Whether the service gets the request. */
  readonly forward: boolean;
  /** What the browser gets instead of the service's answer, which is there when the request was forwarded. */
  readonly answer: (real: Answer | undefined, request: Seen) => Answer | "cut" | CutInBody;
}

/** Half of the body arrives, then the connection is gone. */
export interface CutInBody {
  readonly cutIn: Answer;
}

/** A `google.rpc.Status` by HTTP status (contract 0.10). */
const CODES: Readonly<Record<number, number>> = { 401: 16, 403: 7, 404: 5, 409: 6, 429: 8, 500: 13, 503: 14 };

const page = (status: number): Answer => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<!doctype html><title>${status}</title><h1>Gateway</h1>`,
});

/** What can go wrong between a browser and the service. `after`: the service has done it, and only the answer is lost. */
export const fault = {
  /** Nothing; with `hold` a slow service. */
  none: { forward: true, answer: (real) => real ?? "cut" },
  cutBefore: { forward: false, answer: () => "cut" },
  cutAfter: { forward: true, answer: () => "cut" },
  /** The connection breaks in the middle of the answer's body. */
  cutInBody: { forward: true, answer: (real) => (real ? { cutIn: real } : "cut") },
  /** A refusal in the API's own form: 429, 503 with Retry-After, 500. */
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
  /** Whatever JSON, in place of the service's. */
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
  /** Half of the JSON, as a whole answer. */
  truncated: {
    forward: true,
    answer: (real) =>
      real ? { ...real, body: real.body.slice(0, Math.floor(real.body.length / 2)) } : "cut",
  },
  /** The service's answer, changed. */
  edit: (change: (answer: Answer, request: Seen) => Partial<Answer>): Effect => ({
    forward: true,
    answer: (real, request) => (real ? { ...real, ...change(real, request) } : "cut"),
  }),
  /** The JSON of the service's answer, changed; other answers than JSON stay. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test knows what it changes
  json: (change: (body: any, request: Seen) => unknown): Effect => ({
    forward: true,
    answer: (real, request) => {
      if (!real?.body.startsWith("{")) return real ?? "cut";
      return { ...real, body: JSON.stringify(change(JSON.parse(real.body), request)) };
    },
  }),
} satisfies Readonly<Record<string, Effect | ((...values: never[]) => Effect)>>;
