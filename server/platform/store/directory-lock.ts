import { createHash, randomBytes } from "node:crypto";
import { readdir, realpath, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { now } from "./clock";
import { errorCode } from "../../reason";

interface Holder {
  readonly pid: number;
  /** ISO time of the start. */
  readonly since: string;
  /** Set until the process knows whether it has the directory. */
  contending?: boolean;
}

// sockaddr_un holds 108 bytes on Linux, 104 elsewhere, and the suffix of our own name needs a few.
const LONGEST_PATH = 85;
/** Milliseconds before checking a contender again. */
const AGAIN = 10;

/** What a failed connection says about the listener. */
const SILENCE: Readonly<Record<string, "gone" | "unclear">> = {
  ECONNREFUSED: "gone",
  ENOENT: "gone",
  ENOTSOCK: "gone",
  EAGAIN: "unclear",
  ECONNRESET: "unclear",
  EPIPE: "unclear",
};

/**
 * Finds out who listens on a socket. "gone": its process has ended, whatever file it left; "unclear": it is shutting
 * down or has too many connections; "busy": it is there but does not respond.
 */
const ask = (socket: string): Promise<Holder | "gone" | "unclear" | "busy"> =>
  new Promise((resolve) => {
    let text = "";
    const connection = connect(socket);
    connection.setTimeout(5_000, () => connection.destroy(new Error("no answer")));
    connection.on("data", (data) => (text += data.toString()));
    connection.on("end", () => resolve(text === "" ? "unclear" : JSON.parse(text)));
    connection.on("error", (error) => resolve(SILENCE[String(errorCode(error))] ?? "busy"));
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

export class DirectoryInUse extends Error {
  constructor(directory: string, holder: Holder | "busy") {
    const who =
      holder === "busy" ? "another process" : `process ${holder.pid} (running since ${holder.since})`;
    super(`${directory} is in use by ${who}: stop it, or set another DATA_DIR`);
  }
}

/**
 * Returns once no other process is there; throws if another process has the directory or comes before us.
 *
 * Each process publishes a socket under a unique name and then looks for others. So of any two, the later one always
 * sees the earlier one, and any process can remove a name whose process is gone: nobody ever reuses it. Among
 * contenders, the first name wins and the others give up. The winner waits until they have: one of them may have looked
 * before the winner was visible.
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
      else if (holder === "busy" || !holder.contending) throw new DirectoryInUse(directory, holder);
      else if (other < name) before = holder;
      else alone = false;
    if (before) throw new DirectoryInUse(directory, before);
    if (alone) return;
    await wait(AGAIN);
  }
}

/**
 * The path of a socket for a data directory: in it, if that is short enough.
 * @param home the real path of the directory
 */
export function socketOf(home: string, name: string): string {
  const inside = path.join(home, name);
  if (inside.length <= LONGEST_PATH) return inside;
  const digest = createHash("sha256").update(home).digest("hex").slice(0, 16);
  return path.join(tmpdir(), `platform-${name.replace(".", `-${digest}.`)}`);
}

/**
 * Locks a data directory for this process; the error names the process that has it. Uses a listening socket, since a
 * file with a process id is wrong after `kill -9` and inside containers.
 * @returns a function that releases the directory
 */
export async function lockDirectory(directory: string): Promise<() => Promise<void>> {
  const common = socketOf(await realpath(directory), "service.sock");
  const own = randomBytes(8).toString("hex");
  const [hidden, ours] = [common.replace(/sock$/, `new.${own}`), `${common}.${own}`];
  const holder: Holder = { pid: process.pid, since: now().toISOString(), contending: true };
  const server = await listen(hidden, holder);
  const leave = async () => {
    await rm(ours, { force: true });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  };
  try {
    // Published only now: a socket that is bound but not yet listening looks like one whose process is gone.
    await rename(hidden, ours);
    await contend(directory, ours, common);
  } catch (error) {
    await leave();
    throw error;
  }
  holder.contending = false;
  return leave;
}
