import type { Api } from "../durability/writers";
import { builtInRoleUid } from "../store/roles";

const VIEWER = builtInRoleUid("viewer");

/** What one write wants, and what became of it. */
export interface Write {
  readonly kind: "create" | "update" | "delete" | "refused";
  /** Of the group; undefined while a create has no answer. */
  uid: string | undefined;
  /** Unlike that of any other write: its name or its description. */
  readonly text: string;
  outcome: "acknowledged" | "refused" | "unknown";
}

interface Own {
  readonly uid: string;
  readonly name: string;
}

/**
 * Writers that create, change and delete groups in one group, each its own, and ask for what is refused at the very end of
 * its transaction. Each knows what it has been answered.
 */
export class Storm {
  readonly writes: Write[] = [];

  constructor(
    readonly apis: readonly Api[],
    readonly parent: string,
    readonly total: number,
  ) {}

  /** Writes until there are `total`; `onWrite` is told of each, before it is sent. */
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
        // Nobody knows what became of it: it is not touched again.
        if (target && kind !== "create") own.splice(own.indexOf(target), 1);
        continue;
      }
      const { status, json } = answer;
      write.outcome = status === 200 ? "acknowledged" : "refused";
      if (status === 200 && kind === "create") {
        write.uid = json.uid as string;
        own.push({ uid: json.uid, name: text });
      }
      if (kind === "delete" && target) own.splice(own.indexOf(target), 1);
    }
  }

  /** Sends a write until a process takes it: one that is dead or starting has not. */
  async #send(write: Write): Promise<{ status: number; json: any }> {
    for (;;) {
      const answer = await this.#try(write).catch((error: unknown) => {
        const { code } = Object(Object(error).cause) as { code?: string };
        if (code === "ECONNREFUSED") return undefined;
        throw error;
      });
      if (answer && ![429, 503].includes(answer.status)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  #try({ kind, uid, text }: Write): Promise<{ status: number; json: any }> {
    const api = this.apis[Math.floor(Math.random() * this.apis.length)]!;
    if (kind === "create") return api.call("POST", `groups/${this.parent}`, { name: text });
    if (kind === "update") return api.call("PATCH", `groups/${uid}`, { description: text });
    if (kind === "delete") return api.call("DELETE", `groups/${uid}`);
    // The role stands there twice, which is found once everything is written: the whole transaction ends.
    const roleUid = VIEWER;
    const body = { roleUid, role_uid: "x", email: `${text}@example.com`, ttl: "3600s" };
    return api.call("POST", `groupInvites/${this.parent}`, body);
  }
}
