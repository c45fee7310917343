import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

import { startBuilt, type BuiltService } from "../testing/built-service";

const SECRET = "attacks-0123456789-abcdef";
const MEGABYTE = 1_000_000;

/**
 * Limits during an attack: how many times longer a neighbor's list may take, and how many megabytes memory may grow.
 */
const TIMES = 5;
const MEGABYTES = 200;
/** Milliseconds below which differences are noise. */
const NOISE = 5;
/** Milliseconds that a neighbor is watched before an attack, and its first lists, which do not count. */
const PEACE_MS = 3_000;
const WARM_UP = 20;

const LISTER = fileURLToPath(new URL("lister.mjs", import.meta.url));

export interface Figures {
  /** Medians of a neighbor's small list, in milliseconds. */
  readonly peace: number;
  readonly attack: number;
  readonly worst: number;
  readonly times: number;
  /** Peak growth of the process. */
  readonly megabytes: number;
  readonly seconds: number;
}

/** The built service as a separate process on loopback, over a temporary embedded database. */
export class Target {
  private constructor(
    readonly service: BuiltService,
    private readonly directory: string,
    /** A token of an owner of the demo organization. */
    readonly token: string,
  ) {}

  static async start(variables: Readonly<Record<string, string>> = {}): Promise<Target> {
    const directory = await mkdtemp(path.join(tmpdir(), "attack-"));
    const service = await startBuilt({
      PORT: "0",
      DATA_DIR: directory,
      SEED: "demo",
      AUTOMATION_CLIENT_SECRET: SECRET,
      ...variables,
    });
    const answer = await fetch(`${service.url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`automation:${SECRET}`).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return new Target(service, directory, token);
  }

  async stop(): Promise<void> {
    await this.service.end("SIGTERM");
    await rm(this.directory, { recursive: true, force: true });
  }

  /** Calls the API; returns the status and the body. */
  async call(
    method: string,
    address: string,
    { token = this.token, body }: { token?: string; body?: unknown } = {},
  ): Promise<{ status: number; json: Record<string, string> }> {
    const response = await fetch(`${this.service.url}${address}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as Record<string, string> };
  }

  /** Creates an organization; returns its uid. */
  async organization(name: string): Promise<string> {
    const { status, json } = await this.call("POST", "/iam/v2/groups", { body: { name } });
    if (status !== 200) throw new Error(`no organization: ${JSON.stringify(json)}`);
    return json["uid"] ?? "";
  }

  /** Creates an identity; returns whether the service accepted it. */
  async plant(parent: string, recognition: object): Promise<boolean> {
    const body = { name: "planted", ...recognition };
    return (await this.call("POST", `/iam/v2/identities/${parent}`, { body })).status === 200;
  }

  #memory(): number {
    return (Number(execFileSync("ps", ["-o", "rss=", "-p", String(this.service.pid)])) * 1024) / MEGABYTE;
  }

  /** Starts a neighbor; `stop` returns when each of its lists began, and how long it took, in milliseconds. */
  #neighbor(): { stop(): Promise<(readonly [at: number, took: number])[]> } {
    const address = `${this.service.url}/iam/v2/groups?page_size=10`;
    const child = spawn(process.execPath, [LISTER, address, this.token], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const output = text(child.stdout);
    return {
      async stop() {
        child.stdin.end();
        return JSON.parse(await output) as [number, number][];
      },
    };
  }

  /** Measures a neighbor's wait during `attack`, compared with before. */
  async measure(what: string, attack: () => Promise<unknown>): Promise<Figures> {
    // One process for both: the first requests of another would be counted as the attack's.
    const neighbor = this.#neighbor();
    await sleep(PEACE_MS);
    const memory = this.#memory();
    let largest = memory;
    const watch = setInterval(() => (largest = Math.max(largest, this.#memory())), 200);
    const [begin, at] = [performance.now(), Date.now()];
    await attack();
    const lists = (await neighbor.stop()).slice(WARM_UP);
    clearInterval(watch);
    const before = lists.flatMap(([from, took]) => (from + took < at ? [took] : []));
    const during = lists.flatMap(([from, took]) => (from + took < at ? [] : [took]));
    const [peace, under] = [median(before), median(during)];
    const figures = {
      peace,
      attack: under,
      worst: Math.max(...during),
      times: Math.max(under, NOISE) / Math.max(peace, NOISE),
      megabytes: Math.max(largest, this.#memory()) - memory,
      seconds: (performance.now() - begin) / 1000,
    };
    const one = (value: number) => value.toFixed(1);
    console.log(
      `${what}: a neighbour's list ${one(peace)} ms in peace, ${one(under)} ms under attack (${one(figures.times)} times), ` +
        `${one(figures.worst)} ms at worst; ${one(figures.megabytes)} MB more; ${one(figures.seconds)} s`,
    );
    return figures;
  }
}

/** The limits for every attack. */
export function expectUnharmed({ times, megabytes }: Figures): void {
  expect.soft(times, "times as long for a neighbour").toBeLessThanOrEqual(TIMES);
  expect.soft(megabytes, "megabytes more").toBeLessThanOrEqual(MEGABYTES);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
