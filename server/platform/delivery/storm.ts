import { builtInRoleUid } from "../../domains/access/roles.table";
import { errorCode } from "../../reason";

const VIEWER = builtInRoleUid("viewer");

/** The client `automation` at one of several processes; a token from any of them is valid at each. */
export class Client {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  static async tokenOf(url: string, secret: string): Promise<string> {
    const basic = Buffer.from(`automation:${secret}`).toString("base64");
    const answer = await fetch(`${url}/oidc/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "client_credentials" }),
    });
    const { access_token }: { access_token: string } = await answer.json();
    return access_token;
  }

  async call(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
    const answer = await fetch(`${this.url}/${path}`, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, json: text === "" ? {} : JSON.parse(text) };
  }
}

/** One write and its outcome. */
export interface Write {
  readonly kind: "create" | "update" | "delete" | "refused";
  /** The group's uid; undefined while a create has no response. */
  uid: string | undefined;
  /** Unique among all writes: the name or the description. */
  readonly text: string;
  outcome: "acknowledged" | "refused" | "unknown";
}

interface Own {
  readonly uid: string;
  readonly name: string;
}

/**
 * Writers that create, update and delete their own groups in one parent, and send requests that are rejected at the
 * very end of their transaction. Records the outcome of each write.
 */
export class Storm {
  readonly writes: Write[] = [];

  constructor(
    readonly clients: readonly Client[],
    readonly parent: string,
    readonly total: number,
  ) {}

  /** Writes until there are `total` writes; calls `onWrite` before each is sent. */
  async run(writers: number, onWrite: (count: number) => void): Promise<void> {
    await Promise.all(Array.from({ length: writers }, (_, index) => this.#writer(index, onWrite)));
  }

  async #writer(index: number, onWrite: (count: number) => void): Promise<void> {
    const own: Own[] = [];
    for (let step = 0; this.writes.length < this.total; step += 1) {
      const text = `w${index}-${step}`;
      const dice = Math.random();
      const target = own[Math.floor(Math.random() * own.length)];
      const kind =
        dice < 0.05 ? "refused" : !target || dice < 0.65 ? "create" : dice < 0.85 ? "update" : "delete";
      const write: Write = {
        kind,
        uid: kind === "create" || kind === "refused" ? undefined : target?.uid,
        text,
        outcome: "unknown",
      };
      this.writes.push(write);
      onWrite(this.writes.length);
      const answer = await this.#send(write).catch(() => undefined);
      if (!answer) {
        // Its outcome is unknown: don't touch the group again.
        if (target && kind !== "create") own.splice(own.indexOf(target), 1);
        continue;
      }
      const { status, json } = answer;
      write.outcome = status === 200 ? "acknowledged" : "refused";
      if (status === 200 && kind === "create") {
        write.uid = json.uid;
        own.push({ uid: json.uid, name: text });
      }
      if (kind === "delete" && target) own.splice(own.indexOf(target), 1);
    }
  }

  /** Sends a write until a process accepts it: one that is dead or starting has not. */
  async #send(write: Write): Promise<{ status: number; json: any }> {
    for (;;) {
      const answer = await this.#try(write).catch((error: unknown) => {
        if (errorCode(Object(error).cause) === "ECONNREFUSED") return undefined;
        throw error;
      });
      if (answer && ![429, 503].includes(answer.status)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #try({ kind, uid, text }: Write): Promise<{ status: number; json: any }> {
    const api = this.clients[Math.floor(Math.random() * this.clients.length)]!;
    if (kind === "create") return api.call("POST", `iam/v2/groups/${this.parent}`, { name: text });
    if (kind === "update") return api.call("PATCH", `iam/v2/groups/${uid}`, { description: text });
    if (kind === "delete") return api.call("DELETE", `iam/v2/groups/${uid}`);
    // The role is given twice, which is only found once everything is written: the whole transaction rolls back.
    const roleUid = VIEWER;
    const body = { roleUid, role_uid: "x", email: `${text}@example.com`, ttl: "3600s" };
    return api.call("POST", `iam/v2/groupInvites/${this.parent}`, body);
  }
}
