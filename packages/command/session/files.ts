import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import * as z from "zod/mini";

import { tell } from "../cli/command";
import { UnexpectedError } from "../cli/errors";

/** What is kept of a sign-in, by the address of its console. */
export interface Kept {
  readonly issuer: string;
  readonly clientId: string;
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  /** Milliseconds. */
  readonly expiresAt?: number | undefined;
  /** Who signed in, to show: not verified again. */
  readonly who: {
    readonly subject: string;
    readonly email?: string | undefined;
    readonly name?: string | undefined;
  };
}

export interface Sessions {
  /** The address of the last login. */
  readonly current?: string | undefined;
  readonly servers: Readonly<Record<string, Kept>>;
}

const NONE: Sessions = { servers: {} };

/** A command holds the lock while it refreshes a token: older ones are of commands that were killed. */
const STALE_LOCK_MS = 60_000;
const LOCK_PAUSE_MS = 50;

/** The folder of a person's files (XDG Base Directory Specification). */
export const folder = (): string =>
  join(process.env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "platform");
const file = (): string => join(folder(), "sessions.json");

const optional = z.optional(z.string());
const FORMAT = z.object({
  current: optional,
  servers: z.record(
    z.string(),
    z.looseObject({
      issuer: z.string(),
      clientId: z.string(),
      accessToken: z.string(),
      refreshToken: optional,
      expiresAt: z.optional(z.number()),
      who: z.object({ subject: z.string(), email: optional, name: optional }),
    }),
  ),
});

/** Takes the rights to read it from everybody else, as when it was written, and says so. */
async function keepFromOthers(): Promise<void> {
  // Windows has no such rights.
  if (process.platform === "win32" || ((await stat(file())).mode & 0o077) === 0) return;
  const isDone = await chmod(file(), 0o600).then(
    () => true,
    () => false,
  );
  tell(
    isDone
      ? `Others on this machine could read ${file()}. Only you can now. If somebody may have: platform logout`
      : `Others on this machine can read ${file()}.`,
  );
}

/** Reads what is kept; nothing if there is no file yet. */
export async function readSessions(): Promise<Sessions> {
  let text: string;
  try {
    text = await readFile(file(), "utf8");
    await keepFromOthers();
  } catch (error) {
    if (Object(error).code === "ENOENT") return NONE;
    throw error;
  }
  try {
    const { current, servers } = FORMAT.parse(JSON.parse(text));
    return { current, servers };
  } catch {
    throw new UnexpectedError(`${file()} can't be read. Delete it and sign in again.`);
  }
}

/** Replaces the file at once, so that nobody reads half of it; only its owner can. */
async function writeSessions(sessions: Sessions): Promise<void> {
  const next = `${file()}.${randomBytes(6).toString("hex")}`;
  const handle = await open(next, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(sessions, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(next, file());
}

async function lock(path: string): Promise<void> {
  for (;;)
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is free
      await (await open(path, "wx", 0o600)).close();
      return;
    } catch (error) {
      if (Object(error).code !== "EEXIST") throw error;
      // oxlint-disable-next-line no-await-in-loop
      const held = await stat(path).catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop
      if (held && Date.now() - held.mtimeMs > STALE_LOCK_MS) await rm(path, { force: true });
      // oxlint-disable-next-line no-await-in-loop
      else await sleep(LOCK_PAUSE_MS);
    }
}

/** Changes what is kept, one command after the other: `change` gets what the one before has written. */
export async function changeSessions(
  change: (sessions: Sessions) => Promise<Sessions> | Sessions,
): Promise<Sessions> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  await chmod(folder(), 0o700);
  const path = `${file()}.lock`;
  await lock(path);
  try {
    const before = await readSessions();
    const after = await change(before);
    if (after !== before) await writeSessions(after);
    return after;
  } finally {
    await rm(path, { force: true });
  }
}
