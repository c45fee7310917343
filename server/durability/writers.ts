import { randomUUID } from "node:crypto";

import { Ledger, type Known } from "./ledger";

/** The API as used by the client `automation`. */
export class Api {
  #token = "";

  constructor(
    readonly url: string,
    readonly secret: string,
  ) {}

  async signIn(): Promise<void> {
    const basic = Buffer.from(`automation:${this.secret}`).toString("base64");
    const response = await fetch(`${this.url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    const { access_token }: { access_token: string } = await response.json();
    this.#token = access_token;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
    const response = await fetch(`${this.url}/iam/v2/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? {} : JSON.parse(text) };
  }

  /** Every group and identity by uid, read page by page. */
  async everything(): Promise<Map<string, Known>> {
    const found = new Map<string, Known>();
    for (const collection of ["groups", "identities"] as const) {
      let token = "";
      do {
        const { status, json } = await this.call("GET", `${collection}?page_size=200&page_token=${token}`);
        if (status !== 200) throw new Error(`${status} ${JSON.stringify(json)}`);
        for (const { uid, name, description = "" } of json[collection])
          found.set(uid, {
            collection,
            parent: uid.slice(0, Math.max(0, uid.lastIndexOf("/"))),
            name,
            description,
          });
        token = json.nextPageToken ?? "";
      } while (token !== "");
    }
    return found;
  }
}

const DEEPEST = 5;

/** Creates, updates and deletes its own records, one after the other, until a response fails to arrive. */
export class Writer {
  readonly ledger = new Ledger();
  /** Number of 503 UNAVAILABLE responses. */
  unavailable = 0;
  /** Unexpected responses. */
  readonly odd: string[] = [];

  constructor(
    readonly name: string,
    readonly random: () => number,
  ) {}

  readonly mine = ({ name }: Known): boolean => name.startsWith(`${this.name}-`);

  #pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  #fresh(collection: Known["collection"], parent: string): Known {
    // Both change with every write, so a partial write would show.
    const id = randomUUID();
    return { collection, parent, name: `${this.name}-${id}`, description: `described ${id}` };
  }

  async run(api: Api, acknowledged: () => void): Promise<void> {
    for (;;)
      try {
        if (await this.#step(api)) acknowledged();
      } catch {
        // The connection broke, and the response was lost.
        return;
      }
  }

  async #step(api: Api): Promise<boolean> {
    const known = [...this.ledger.entries].map(([uid, { acknowledged }]) => ({ uid, ...acknowledged }));
    const groups = known.filter(({ collection }) => collection === "groups");
    const dice = this.random();
    const target = this.#pick(known);
    if (groups.length === 0 || dice < 0.05) return this.#create(api, this.#fresh("groups", ""));
    if (target && dice > 0.7) return this.#change(api, target.uid, target);
    const leaf = this.#pick(known.filter(({ uid }) => !known.some(({ parent }) => parent === uid)));
    if (leaf && dice > 0.5) return this.#delete(api, leaf.uid, leaf);
    const parent = this.#pick(groups.filter(({ uid }) => uid.split("/").length < DEEPEST)) ?? groups[0];
    return this.#create(api, this.#fresh(dice < 0.2 ? "groups" : "identities", parent?.uid ?? ""));
  }

  async #create(api: Api, next: Known): Promise<boolean> {
    const { collection, parent, name, description } = next;
    this.ledger.begin(undefined, next);
    // Matches by pattern, since such an identity has rows in a second table.
    const claimMatch = { issuerPattern: "https://.*", subject: name };
    const body = { name, description, ...(collection === "identities" && { claimMatch }) };
    const { status, json } = await api.call(
      "POST",
      parent === "" ? collection : `${collection}/${parent}`,
      body,
    );
    return this.#answered(status, json, json.uid);
  }

  async #change(api: Api, uid: string, { collection, parent }: Known): Promise<boolean> {
    const next = this.#fresh(collection, parent);
    this.ledger.begin(uid, next);
    const { name, description } = next;
    const path = `${collection}/${uid}?updateMask=name,description`;
    const { status, json } = await api.call("PATCH", path, { name, description });
    return this.#answered(status, json, uid);
  }

  async #delete(api: Api, uid: string, { collection }: Known): Promise<boolean> {
    this.ledger.begin(uid, "deleted");
    const { status, json } = await api.call("DELETE", `${collection}/${uid}`);
    return this.#answered(status, json, uid);
  }

  #answered(status: number, json: any, uid: string): boolean {
    if (status === 200) {
      this.ledger.done(uid);
      return true;
    }
    if (status === 503 && json.code === 14) {
      this.unavailable++;
      // It may still have been written: the comparison will show.
      throw new Error("unavailable");
    }
    this.odd.push(`${status} ${JSON.stringify(json)}`);
    this.ledger.refused();
    return false;
  }
}
