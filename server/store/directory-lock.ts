import { createHash, randomBytes } from "node:crypto";
import { link, realpath, rename, rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { now } from "./clock";

interface Holder {
  readonly pid: number;
  /** ISO time of the start. */
  readonly since: string;
}

// sockaddr_un holds 108 bytes on Linux, 104 elsewhere, and the name aside needs a few.
const LONGEST_PATH = 90;

/** Who listens on a socket; undefined when nobody does: its process is gone, whatever file it left. */
const ask = (socket: string): Promise<Holder | undefined> =>
  new Promise((resolve) => {
    let text = "";
    const connection = connect(socket);
    connection.setTimeout(5_000, () => connection.destroy(new Error("no answer")));
    connection.on("data", (data) => (text += data.toString()));
    connection.on("end", () => resolve(JSON.parse(text) as Holder));
    connection.on("error", ({ message }) =>
      // Somebody who accepts and does not answer is busy, not gone.
      resolve(message === "no answer" ? { pid: 0, since: "an unknown time" } : undefined),
    );
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

const code = (error: unknown): unknown => Object(error).code;

const refuse = (directory: string, { pid, since }: Holder): Error =>
  new Error(
    `${directory} is in use by process ${pid}, running since ${since}: stop it, or set another DATA_DIR`,
  );

/** Gives our socket the common name; of several processes at once exactly one succeeds. */
async function claim(directory: string, ours: string, common: string): Promise<void> {
  for (;;) {
    try {
      return await link(ours, common);
    } catch (error) {
      if (code(error) !== "EEXIST") throw error;
    }
    const holder = await ask(common);
    if (holder) throw refuse(directory, holder);
    // What a dead process left. Moved before it is removed: had another process just claimed the name, we would see it.
    const aside = `${ours}-`;
    try {
      await rename(common, aside);
    } catch (error) {
      if (code(error) === "ENOENT") continue;
      throw error;
    }
    const live = await ask(aside);
    if (live) await rename(aside, common);
    else await rm(aside, { force: true });
    if (live) throw refuse(directory, live);
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
  const ours = `${common}.${randomBytes(4).toString("hex")}`;
  const server = await listen(ours, { pid: process.pid, since: now().toISOString() });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  try {
    await claim(directory, ours, common);
  } catch (error) {
    await close();
    throw error;
  } finally {
    await rm(ours, { force: true });
  }
  return async () => {
    await rm(common, { force: true });
    await close();
  };
}
