import { PAGE_SIZE_MAX } from "platform-contract/aip";
import type { Endpoint, Method } from "platform-contract/endpoint";
import type { ListAnswer, ListQuery } from "platform-contract/resource";

import { readAnswer, readJson, type Answered } from "./answer";
import { ApiError } from "./errors";
import { pagesOf } from "./pages";
import type { CallInput, RequestInfo } from "./request-info";
import { askedWait, canRetry, pause, retryDelay } from "./retry";
import { withRootFilter, type RootFilter } from "./root-filter";
import {
  authorized,
  initOf,
  noResponse,
  noSuchRecord,
  RESPONSE_TIMEOUT_SECONDS,
  type TokenSource,
} from "./send";
import { withTimeout } from "./timeout";
import { requestOf, staysBelow } from "./wire";

export interface ClientOptions {
  /** Of the API, without a trailing slash. */
  readonly baseUrl: string;
  /** An access token, or what returns one. What it throws, a call throws. */
  readonly token: string | TokenSource;
  /** The service answers a repeated POST with the same key once (config.json has it). If not, no key is sent. */
  readonly idempotencyKeys?: boolean;
  /** The service keeps why a change was made (config.json has it). If not, no justification is sent. */
  readonly changeJustifications?: boolean;
  readonly fieldMaskCase?: "camel" | "snake";
  /** How often a request is sent again at most; 4 by default. */
  readonly retries?: number;
  /** Seconds: a service that asks for a longer wait is not waited for; 60 by default. */
  readonly longestWait?: number;
  /** Seconds that a response can take; 60 by default. */
  readonly timeout?: number;
  readonly fetch?: typeof fetch;
}

export interface Input<Query, Body> extends CallInput<Query, Body> {
  /** Carrying it out twice is harmless, so it is sent again if its answer is lost. Reads, deletes and POSTs with a key are. */
  readonly repeatable?: boolean;
}

type List<Query, Row> = Endpoint<Query, undefined, ListAnswer<Row>>;
type ListInput<Query> = Pick<CallInput<Query, undefined>, "path" | "query" | "signal">;

/** Calls the API. Every method rejects with an ApiError, or with the reason of an aborted `signal`. */
export interface Client {
  /** Calls one operation. A list answers with one page. */
  call<Query, Body, Answer>(
    endpoint: Endpoint<Query, Body, Answer>,
    input?: Input<NoInfer<Query>, NoInfer<Body>>,
  ): Promise<Answer>;
  /** Calls a path, which begins with a slash and can have a query; resolves to the JSON, unread. */
  send(method: Method, path: string, input?: Omit<Input<never, unknown>, "path" | "query">): Promise<unknown>;
  /** The pages of a list, each requested when it is asked for; of 200 rows unless `page_size` says otherwise. */
  pages<Query extends ListQuery, Row>(
    endpoint: List<Query, Row>,
    input?: ListInput<NoInfer<Query>>,
  ): AsyncGenerator<ListAnswer<Row>, void, undefined>;
  /** The rows of a list, one by one. */
  items<Query extends ListQuery, Row>(
    endpoint: List<Query, Row>,
    input?: ListInput<NoInfer<Query>>,
  ): AsyncGenerator<Row, void, undefined>;
}

/** A client of one service. It follows 429 and 503 by their Retry-After; a write is never carried out twice by it. */
export function createClient(options: ClientOptions): Client {
  const { baseUrl, token, idempotencyKeys = false, changeJustifications = false, fieldMaskCase } = options;
  const { retries = 4, longestWait = 60, timeout = RESPONSE_TIMEOUT_SECONDS } = options;
  const ask = options.fetch ?? fetch;
  const tokens: TokenSource = typeof token === "string" ? () => Promise.resolve(token) : token;
  const rootFilter: RootFilter = { refused: false };

  async function exchange(
    info: RequestInfo,
    key: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Answered> {
    const request = requestOf({ baseUrl, fieldMaskCase }, info);
    return authorized(tokens, async (bearer) => {
      try {
        return await withTimeout(
          timeout * 1000,
          async (both) => {
            const response = await ask(request.url, { ...initOf(request, bearer, key), signal: both });
            return { response, text: await response.text() };
          },
          signal,
        );
      } catch (error) {
        throw signal?.aborted ? signal.reason : noResponse(baseUrl, error, timeout);
      }
    });
  }

  /** Sends until there is an answer, or trying again cannot help. */
  async function untilAnswered<Answer>(
    info: RequestInfo,
    { signal, idempotencyKey, repeatable }: Input<never, unknown>,
    read: (answered: Answered) => Answer,
  ): Promise<Answer> {
    const { method } = info.endpoint;
    const key = method === "POST" && idempotencyKeys ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    const harmless = repeatable ?? (method === "GET" || method === "DELETE" || key !== undefined);
    let lost = false;
    for (let failures = 0; ; failures += 1)
      try {
        // oxlint-disable-next-line no-await-in-loop -- one try after the other
        return read(await exchange(info, key, signal));
      } catch (error) {
        // The first one, whose answer is lost, may have deleted it.
        if (lost && method === "DELETE" && error instanceof ApiError && error.code === "NOT_FOUND")
          return undefined as Answer;
        if (failures >= retries || !canRetry(error, harmless) || askedWait(error) > longestWait) throw error;
        lost ||= error.outcomeUncertain !== undefined;
        // oxlint-disable-next-line no-await-in-loop
        await pause(retryDelay(failures, error), signal);
      }
  }

  const justified = ({ justification }: { readonly justification?: string | undefined }) =>
    changeJustifications ? justification : undefined;

  const client: Client = {
    async call(endpoint, input = {}) {
      const { path = {}, body } = input;
      if (!Object.values(path).every(staysBelow)) throw noSuchRecord();
      return withRootFilter(input, rootFilter, ({ query }) =>
        untilAnswered(
          { endpoint, path, query: Object(query), body, justification: justified(input) },
          input as Input<never, unknown>,
          (answered) => readAnswer(endpoint, answered, { uid: path["uid"], query: Object(query) }),
        ),
      );
    },
    send: (method, path, input = {}) =>
      untilAnswered(
        { endpoint: { method, path, summary: path }, body: input.body, justification: justified(input) },
        input,
        (answered) => readJson(answered),
      ),
    pages: (endpoint, { query, ...input } = {}) =>
      pagesOf((page_token) => {
        const paged = { page_size: PAGE_SIZE_MAX, ...Object(query), ...(page_token && { page_token }) };
        return client.call(endpoint, { ...input, query: paged });
      }),
    async *items(endpoint, input) {
      for await (const page of client.pages(endpoint, input)) yield* page.items;
    },
  };
  return client;
}
