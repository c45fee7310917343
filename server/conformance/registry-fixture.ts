import { decodeJwt, type JSONWebKeySet } from "jose";

import { syncRegistry, type SyncResult } from "../domains/registry/registry-sync";
import { createRegistryClient } from "../platform/registry/client";
import { createRegistrySigner } from "../platform/registry/tokens";
import type { Answer } from "../testing/app";
import { startRegistry, type TestRegistry } from "../testing/registry";
import { World, type Person, type Wire } from "./world";

export const EVENTS_SECRET = "secret-of-the-notifications";

/** The access of a token that the service gave. */
export interface RegistryAnswer {
  readonly status: number;
  readonly token: string;
  /** `acme/base:pull,push`. */
  readonly access: string[];
  readonly seconds: number;
  readonly answer: Answer;
}

/** The service with a registry of the test's own behind it. */
export class RegistryFixture {
  constructor(
    readonly world: World,
    readonly registry: TestRegistry,
    readonly owner: Person,
    readonly organization: string,
  ) {}

  static async open(variables: Record<string, string> = {}): Promise<RegistryFixture> {
    const registry = await startRegistry();
    const world = await World.open({
      REGISTRY_URL: registry.url,
      REGISTRY_EVENTS_SECRET: EVENTS_SECRET,
      ...variables,
    });
    const keys = await world.service.call("GET", "/registry/jwks.json");
    registry.trust(`${world.service.url}/registry`, keys.json as unknown as JSONWebKeySet);
    const owner = await world.person("owner");
    return new RegistryFixture(
      world,
      registry,
      owner,
      await world.create(owner, "groups", "", { name: "Acme, Inc." }),
    );
  }

  async close(): Promise<void> {
    await this.world.service.stop();
    await this.registry.stop();
  }

  /** Asks for a token with the GET form. */
  async token(
    password: string | undefined,
    scopes: readonly string[],
    more: Record<string, string> = {},
  ): Promise<RegistryAnswer> {
    const query = new URLSearchParams({ service: this.registry.host, ...more });
    for (const scope of scopes) query.append("scope", scope);
    const authorization = `Basic ${Buffer.from(`any:${password}`).toString("base64")}`;
    const answer = await this.world.service.call("GET", `/registry/token?${query}`, {
      headers: password === undefined ? {} : { authorization },
    });
    return readAnswer(answer);
  }

  /** What of one scope a token has: `acme/base:pull,push`, or nothing. */
  async access(password: string, ...scopes: string[]): Promise<string[]> {
    return (await this.token(password, scopes)).access;
  }

  /** Sends notifications as a registry does. */
  notify(events: readonly Wire[], secret = EVENTS_SECRET): Promise<Answer> {
    return this.world.service.call("POST", "/registry/events", {
      headers: {
        authorization: `Bearer ${secret}`,
        "content-type": "application/vnd.docker.distribution.events.v1+json",
      },
      body: { events },
    });
  }

  /** Compares with the registry, and mends the ledger. */
  compare(): Promise<SyncResult> {
    const { config, database } = this.world.service;
    if (!config.registry) throw new Error("there is no registry");
    const client = createRegistryClient(config.registry, createRegistrySigner(config.registry, database));
    const log = { info: () => {}, warn: () => {} };
    return syncRegistry({ database, client, log, ingest: () => Promise.resolve(false) });
  }

  pushed(repository: string, tag: string, more: Wire = {}): Promise<Answer> {
    return this.notify([
      { id: "1", action: "push", target: { repository, tag, mediaType: "x.manifest.v1+json" }, ...more },
    ]);
  }

  /** Tags of a repo with their digests, referrers included. */
  async tags(repo: string): Promise<Record<string, string>> {
    const answer = await this.world.make(this.owner, "tags.list", {
      query: { "uidp.children_of": repo, includeReferrers: "true" },
    });
    return Object.fromEntries(((answer["tags"] ?? []) as Wire[]).map(({ name, digest }) => [name, digest]));
  }

  repo(name: string, parent = this.organization): Promise<string> {
    return this.world.create(this.owner, "repos", parent, { name });
  }
}

export function readAnswer(answer: Answer): RegistryAnswer {
  const { token = "", expires_in: seconds } = answer.json as unknown as {
    token?: string;
    expires_in: number;
  };
  const claims = token === "" ? {} : decodeJwt<{ access?: { name: string; actions: string[] }[] }>(token);
  const access = (claims.access ?? []).map(({ name, actions }) => `${name}:${actions.join(",")}`);
  return { status: answer.status, token, access, seconds, answer };
}

/** Repeats until `check` is true, for what happens in the background. */
export async function eventually(check: () => Promise<boolean>, seconds = 10): Promise<void> {
  const until = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > until) throw new Error("it did not happen");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
