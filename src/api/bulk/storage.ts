import type { BulkItem, JobStorage } from "./bulk-job";
import { JOB_KEY } from "./current-job";

/** "Deleting 30 identities", "28 of 30 deleted". */
export interface JobWords {
  /** "Deleting". */
  readonly doing: string;
  /** "Deleted". */
  readonly done: string;
  /** "identity", "identities". */
  readonly one: string;
  readonly many: string;
  /** Whom the job is about, for the file with its outcomes: "Ada Marsh". */
  readonly of?: string;
  /** Who started the job, for the same file: "owner@example.com". */
  readonly by?: string;
  /** Why they did, in their words, for the file of a job. */
  readonly why?: string | undefined;
}

/** What a job does, as JSON: enough to resume it after a reload, without the screen that started it. */
export interface JobPlan {
  /** Its name in `ACTIONS`, and the data for that. */
  readonly action: string;
  readonly data: unknown;
  readonly words: JobWords;
  /** Why, for the audit log: with every request, also after a reload. */
  readonly justification?: string | undefined;
}

export interface StoredJob {
  /** A duplicated tab has the same id; the lock on it decides which tab can run the job. */
  readonly id: string;
  readonly plan: JobPlan;
  readonly items: readonly BulkItem[];
  readonly storage: JobStorage;
}

interface Head {
  readonly id: string;
  /** The job is shown only to the user who started it. */
  readonly owner: string;
  readonly plan: JobPlan;
  readonly count: number;
}

/** Items per storage entry: a change of one in ten thousand must not rewrite all of them. */
const CHUNK_SIZE = 100;

const chunkKey = (chunk: number): string => `${JOB_KEY}.${chunk}`;

const writeChunk = (storage: Storage, items: readonly BulkItem[], chunk: number): void =>
  storage.setItem(chunkKey(chunk), JSON.stringify(items.slice(chunk * CHUNK_SIZE, (chunk + 1) * CHUNK_SIZE)));

function clear(storage: Storage): void {
  storage.removeItem(JOB_KEY);
  for (let chunk = 0; storage.getItem(chunkKey(chunk)) !== null; chunk += 1)
    storage.removeItem(chunkKey(chunk));
}

function jobStorage(storage: Storage): JobStorage {
  let stored = true;
  return {
    save(items, indexes) {
      if (!stored) return false;
      try {
        for (const chunk of new Set(indexes.map((index) => Math.floor(index / CHUNK_SIZE))))
          writeChunk(storage, items, chunk);
      } catch {
        // Full. After a reload, the stored items would be outdated.
        clear(storage);
        stored = false;
      }
      return stored;
    },
    clear() {
      if (stored) clear(storage);
      stored = false;
    },
  };
}

/** Stores a new job in place of any other. */
export function storeJob(
  owner: string,
  plan: JobPlan,
  items: readonly BulkItem[],
  storage: Storage = sessionStorage,
): StoredJob {
  const id = crypto.randomUUID();
  try {
    clear(storage);
    for (let chunk = 0; chunk * CHUNK_SIZE < items.length; chunk += 1) writeChunk(storage, items, chunk);
    const head = { id, owner, plan, count: items.length } satisfies Head;
    storage.setItem(JOB_KEY, JSON.stringify(head));
    return { id, plan, items, storage: jobStorage(storage) };
  } catch {
    clear(storage);
    return { id, plan, items, storage: { save: () => false, clear: () => undefined } };
  }
}

/** Returns the job that this tab has stored for `owner`; removes a job of any other owner. */
export function findJob(owner: string, storage: Storage = sessionStorage): StoredJob | undefined {
  try {
    const head: Head | null = JSON.parse(storage.getItem(JOB_KEY) ?? "null");
    if (head?.owner === owner) {
      const chunks = Array.from({ length: Math.ceil(head.count / CHUNK_SIZE) }, (_, chunk) => chunk);
      const read = (chunk: number): BulkItem[] => JSON.parse(storage.getItem(chunkKey(chunk)) ?? "");
      return { id: head.id, plan: head.plan, items: chunks.flatMap(read), storage: jobStorage(storage) };
    }
  } catch {
    // Incomplete or unreadable.
  }
  try {
    clear(storage);
  } catch {
    // Storage may be forbidden: then there is no job.
  }
  return undefined;
}
