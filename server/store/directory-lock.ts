import { createHash, randomBytes } from "node:crypto";
import { readdir, realpath, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { now } from "./clock";

interface Holder {
  readonly pid: number;
  /** ISO time of the start. */
  readonly since: string;
  /** Set until it knows whether it has the directory. */
  contending?: boolean;
}

// sockaddr_un holds 108 bytes on Linux, 104 elsewhere, and a name of our own needs a few.
const LONGEST_PATH = 85;
/** Milliseconds until somebody who contends with us is asked again. */
const AGAIN = 10;

const code = (error: unknown): unknown => Object(error).code;

/** What a connection that failed says about who listens. */
const SILENCE: Readonly<Record<string, "gone" | "unclear">> = {
  ECONNREFUSED: "gone",
  ENOENT: "gone",
  ENOTSOCK: "gone",
  EAGAIN: "unclear",
  ECONNRESET: "unclear",
  EPIPE: "unclear",
};

/**
 * Who listens on a socket. "gone": its process is, whatever file it left; "unclear": it is going, or asked by too many;
 * "busy": it is there and does not say.
 */
const ask = (socket: string): Promise<Holder | "gone" | "unclear" | "busy"> =>
  new Promise((resolve) => {
    let text = "";
    const connection = connect(socket);
    connection.setTimeout(5_000, () => connection.destroy(new Error("no answer")));
    connection.on("data", (data) => (text += data.toString()));
    connection.on("end", () => resolve(text === "" ? "unclear" : (JSON.parse(text) as Holder)));
    connection.on("error", (error) => resolve(SILENCE[String(code(error))] ?? "busy"));
  });

const listen = (socket: string, holder: Holder): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((connection) => {
      connection.on("error", () => {});
      connection.end(JSON.stringify(holder));
    });
    server.once("error", reject);
    server.listen(socket, () => resolve(server.unref()));
  });

const refuse = (directory: string, holder: Holder | "busy"): Error => {
  const who = holder === "busy" ? "another process" : `process ${holder.pid}, running since ${holder.since},`;
  return new Error(`${directory} is in use by ${who}: stop it, or set another DATA_DIR`);
};

/**
 * Returns once nobody else is there, throws once somebody has the directory or comes before us.
 *
 * Everybody shows a socket under a name that nobody else ever has, and then looks around. So of two the later one to
 * show itself always sees the other, and a name whose process is gone can be removed by anybody at any time: it never
 * becomes somebody else's. Among those that contend the first name stays, the others give up, and it waits until they
 * have: one of them may have looked around before it was there.
 */
async function contend(directory: string, ours: string, common: string): Promise<void> {
  const [place, prefix, name] = [path.dirname(common), path.basename(common), path.basename(ours)];
  for (;;) {
    const names = (await readdir(place)).filter((other) => other.startsWith(prefix) && other !== name);
    const found = await Promise.all(
      names.map(async (other) => ({ other, holder: await ask(path.join(place, other)) })),
    );
    let alone = true;
    let before: Holder | undefined;
    for (const { other, holder } of found)
      if (holder === "gone") await rm(path.join(place, other), { force: true });
      else if (holder === "unclear") alone = false;
      else if (holder === "busy" || !holder.contending) throw refuse(directory, holder);
      else if (other < name) before = holder;
      else alone = false;
    if (before) throw refuse(directory, before);
    if (alone) return;
    await wait(AGAIN);
  }
}

/**
 * Makes this process the only one on a data directory, and says who is when it is not. A listening socket, since a file
 * with a process id is wrong after `kill -9` and inside containers.
 * @returns gives the directory back
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const home = await realpath(directory);
  const inside = path.join(home, "service.sock");
  const digest = createHash("sha256").update(home).digest("hex").slice(0, 16);
  const common =
    inside.length <= LONGEST_PATH ? inside : path.join(tmpdir(), `platform-service-${digest}.sock`);
  const own = randomBytes(8).toString("hex");
  const [hidden, ours] = [common.replace(/sock$/, `new.${own}`), `${common}.${own}`];
  const holder: Holder = { pid: process.pid, since: now().toISOString(), contending: true };
  const server = await listen(hidden, holder);
  const leave = async () => {
    await rm(ours, { force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  try {
    // Shown only now: a socket that is bound and does not listen yet looks like one whose process is gone.
    await rename(hidden, ours);
    await contend(directory, ours, common);
  } catch (error) {
    await leave();
    throw error;
  }
  holder.contending = false;
  return leave;
}
