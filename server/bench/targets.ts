import { once } from "node:events";
import { Agent, request } from "node:http";
import { createServer } from "node:net";

import { signIn, signUp } from "../platform/oidc/testing";
import { builtProgram, startBuilt, type BuiltService } from "../testing/built-service";
import { portOf } from "../port";

export const KINDS = ["ping", "list", "get", "create"] as const;
export type Kind = (typeof KINDS)[number];

/** Different callers; each has a client or more. */
export const PEOPLE = 8;
/** Rows of a list. */
export const FOLDERS = 50;

/** What is being measured; `ask` sends a request as one of the clients, by number. */
export interface Target {
  readonly name: string;
  /** Of its processes; empty if it has none of its own. */
  readonly pids: readonly number[];
  ask(kind: Kind, client: number): Promise<unknown>;
  /** Gets new tokens, which live for minutes. */
  renew?(): Promise<void>;
  stop(): Promise<unknown>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function send(method: string, url: string, token: string, body?: unknown): Promise<any> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () =>
        answer.statusCode === 200
          ? resolve(JSON.parse(text))
          : reject(new Error(`${answer.statusCode} ${text}`)),
      );
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const personOf = (index: number) => ({
  email: `load${index}@bench.example`,
  password: "correct horse battery staple",
});

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The built service in `count` processes on one database; clients are distributed over them. */
export async function service(
  name: string,
  count: number,
  where: Readonly<Record<string, string>>,
  program = builtProgram("main"),
): Promise<Target> {
  const ports: number[] = [];
  for (let index = 0; index < count; index++) ports.push(await freePort());
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const [first = ""] = urls;
  const processes: BuiltService[] = [];
  for (const port of ports)
    processes.push(
      await startBuilt(
        { ...where, PORT: String(port), PUBLIC_URL: first, SEED: "none", SIGN_UP: "open" },
        { program },
      ),
    );
  const people: { accessToken: string; read: string; written: string; folder: string }[] = [];
  for (let index = 0; index < PEOPLE; index++) {
    const { accessToken } = await signUp(first, personOf(index));
    const make = async (parent: string, called: string): Promise<string> =>
      (await send("POST", `${first}/iam/v2/groups${parent}`, accessToken, { name: called })).uid;
    const root = await make("", "organization");
    const read = await make(`/${root}`, "read");
    const written = await make(`/${root}`, "written");
    let folder = "";
    for (let row = 0; row < FOLDERS; row++) folder = await make(`/${read}`, `folder ${row}`);
    people.push({ accessToken, read, written, folder });
  }
  return {
    name,
    pids: processes.flatMap(({ pid }) => pid ?? []),
    ask(kind, client) {
      const { accessToken, read, written, folder } = people[client % PEOPLE]!;
      // A person's two requests go to different processes, as with a load balancer.
      const url = urls[Math.floor(client / PEOPLE) % count];
      if (kind === "ping") return send("GET", `${url}/ping/v2/ping`, accessToken);
      const groups = `${url}/iam/v2/groups`;
      if (kind === "get") return send("GET", `${groups}/${folder}`, accessToken);
      if (kind === "create") return send("POST", `${groups}/${written}`, accessToken, { name: "made" });
      return send("GET", `${groups}?uidp.children_of=${encodeURIComponent(read)}&page_size=50`, accessToken);
    },
    async renew() {
      for (const [index, person] of people.entries())
        person.accessToken = (await signIn(first, personOf(index))).accessToken;
    },
    stop: () => Promise.all(processes.map((one) => one.end("SIGTERM"))),
  };
}
