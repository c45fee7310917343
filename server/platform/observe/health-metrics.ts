import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Counter, Gauge, type Registry } from "prom-client";

import { BACKGROUND, type StepTold } from "../../background";
import type { Database } from "../store/database";

/** Work that runs by time. Returns what ends it. */
export function registerBackground(register: Registry): () => void {
  const last = new Gauge({
    name: "platform_background_last_success_timestamp_seconds",
    help: "When regular work of this process last succeeded, by step; 0 before the first time",
    labelNames: ["step"],
    registers: [register],
  });
  const failures = new Counter({
    name: "platform_background_failures_total",
    help: "Failures of regular work, by step",
    labelNames: ["step"],
    registers: [register],
  });
  const note = (message: unknown) => {
    const { step, result }: StepTold = Object(message);
    if (result === "planned") last.set({ step }, 0);
    if (result === "done") last.set({ step }, Math.floor(Date.now() / 1_000));
    failures.inc({ step }, result === "failed" ? 1 : 0);
  };
  subscribe(BACKGROUND, note);
  return () => unsubscribe(BACKGROUND, note);
}

/** What the disks of the embedded database have left. */
export function registerRoom(register: Registry, { room }: Pick<Database, "room">): void {
  if (!room) return;
  const registers = [register];
  const bytes = new Gauge({
    name: "platform_disk_free_bytes",
    help: "Bytes that are free for the embedded database, of the fuller of its disks",
    registers,
    collect: async () => {
      const found = await room().catch(() => undefined);
      if (found) bytes.set(found.bytes);
    },
  });
  const inodes = new Gauge({
    name: "platform_disk_free_inodes",
    help: "Inodes that are free for it; +Inf if the file system does not limit them",
    registers,
    collect: async () => {
      const found = await room().catch(() => undefined);
      if (found) inodes.set(found.inodes);
    },
  });
}
