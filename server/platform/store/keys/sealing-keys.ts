import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";

import type { Config } from "../../../config";
import { failedPrecondition } from "../../../status";

/** A 256-bit key, and the id that sealed texts carry to name it. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface SealingKeys {
  /** The key to seal with; creates one if needed. Throws FAILED_PRECONDITION if it cannot be stored. */
  first(): Promise<SealingKey>;
  /** All keys that may have sealed texts, including the first if there is one. */
  all(): Promise<readonly SealingKey[]>;
}

const FILE = "secret.key";

export function sealingKey(bytes: Uint8Array): SealingKey {
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 16), bytes };
}

const derived = (text: string): SealingKey =>
  sealingKey(new Uint8Array(hkdfSync("sha256", text, "", "sealed-texts", 32)));

async function readKey(file: string): Promise<SealingKey | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const bytes = Buffer.from(text.trim(), "base64url");
  return bytes.length === 32 ? sealingKey(bytes) : undefined;
}

/** Creates a key file atomically and never overwrites one: if two processes race, both use the first one's key. */
async function makeKey(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(unfinished, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
}

/**
 * The keys in SECRET_KEY, and the one in a file in DATA_DIR: never in the database, since a dump would then decrypt
 * itself. The file is created when something is first sealed without SECRET_KEY.
 */
export function sealingKeys({ dataDir, secretKeys }: Pick<Config, "dataDir" | "secretKeys">): SealingKeys {
  const file = path.join(dataDir, FILE);
  const given = secretKeys.map(derived);
  let kept: SealingKey | undefined;
  const inFile = async () => (kept ??= await readKey(file));
  return {
    async first() {
      const known = given[0] ?? (await inFile());
      if (known) return known;
      try {
        await makeKey(file);
        const made = await inFile();
        if (made) return made;
      } catch {
        // Reported below, with what to do about it.
      }
      throw failedPrecondition([
        {
          type: "SECRET_KEY_MISSING",
          description:
            "secrets cannot be kept: the operator has to set SECRET_KEY, or let the service write to DATA_DIR",
          subject: "SECRET_KEY",
        },
      ]);
    },
    async all() {
      const other = await inFile();
      return other ? [...given, other] : given;
    },
  };
}
