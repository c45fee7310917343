import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import { rootOf } from "platform-contract/aip";

import { reasonOf } from "../../reason";
import { holdForward, releaseForward } from "../../platform/store/audit-forwards";
import { createBackgroundTurns } from "../../turns";
import { lookAt, type LookContext } from "./look";
import { registryNameOf } from "./namespaces.table";
import { endLook, pusherOf, putOffLook, takeLooks, type Look } from "./registry-looks.table";
import { syncRegistry } from "./registry-sync";
import { writeFailedComparison } from "./registry-sync.table";

/** Milliseconds between looks for what other processes have stored, or what was put off. */
const LOOK_EVERY_MS = 5_000;
/** Looks that are taken at once, and run at once. */
const TAKEN = 16;
const AT_ONCE = 4;
/** Milliseconds of a rest between them, at most. */
const LONGEST_REST_MS = 1_000;

const SYNC_EVERY_MS = 3_600_000;
const FIRST_SYNC_MS = 60_000;
/** The name of the lease by which one process compares at a time; held until the next time is near. */
const LEASE = "registry:sync";
const LEASE_S = 3_300;

export interface RegistryWatch {
  /** Call when looks were stored. */
  wake(): void;
  stop(): Promise<void>;
}

async function look(context: LookContext, one: Look): Promise<void> {
  const { database, log } = context;
  const { repo: uid, reference, actor } = one;
  const repository = await registryNameOf(database, uid);
  try {
    if (repository !== undefined) {
      const pusher = actor === undefined ? undefined : await pusherOf(database, uid, actor);
      const by = pusher && { pusher: pusher.identity, origin: { ...pusher, operation: "tags.create" } };
      await lookAt(context, { uid, repository }, reference, by);
    }
    await endLook(database, one);
  } catch (error) {
    log.warn({ repository, reference, reason: reasonOf(error) }, "the registry was not looked at");
    await putOffLook(database, one);
  }
}

/** Looks at what notifications name, organizations taking turns, and compares everything once an hour. */
export function startRegistryWatch(context: LookContext): RegistryWatch {
  const { database, log } = context;
  const turns = createBackgroundTurns({ atOnce: AT_ONCE, waiting: TAKEN });
  const holder = randomUUID();
  const state = { isOver: false };
  let isAsked = false;
  let looking: Promise<void> | undefined;

  async function lookAtAll(): Promise<void> {
    while (!state.isOver) {
      isAsked = false;
      const taken = await takeLooks(database, TAKEN);
      const begin = performance.now();
      await Promise.all(taken.map((one) => turns(rootOf(one.repo), () => look(context, one))));
      if (taken.length === 0 && !isAsked) return;
      // There are many: others have as long to themselves.
      if (taken.length === TAKEN) await sleep(Math.min(performance.now() - begin, LONGEST_REST_MS));
    }
  }
  function wake(): void {
    isAsked = true;
    if (state.isOver || looking) return;
    looking = lookAtAll()
      .catch((err: unknown) => log.warn({ err }, "the registry was not looked at"))
      .finally(() => (looking = undefined));
  }

  async function sync(): Promise<void> {
    if (state.isOver || !(await holdForward(database, LEASE, holder, LEASE_S))) return;
    const found = await syncRegistry(context, { isOver: () => state.isOver });
    log.info(
      { repositories: found.repositories, differences: found.differences.length },
      "the registry was compared",
    );
  }
  let syncing: Promise<void> = Promise.resolve();
  const safely = () => {
    syncing = syncing.then(sync).catch(async (err: unknown) => {
      log.warn({ reason: reasonOf(err) }, "the registry was not compared");
      await writeFailedComparison(database).catch(() => {});
    });
  };

  wake();
  const timers = [
    setInterval(wake, LOOK_EVERY_MS).unref(),
    setTimeout(safely, FIRST_SYNC_MS).unref(),
    setInterval(safely, SYNC_EVERY_MS).unref(),
  ];
  return {
    wake,
    async stop() {
      state.isOver = true;
      for (const timer of timers) clearInterval(timer);
      await looking;
      await syncing;
      await releaseForward(database, LEASE, holder).catch(() => {});
    },
  };
}
