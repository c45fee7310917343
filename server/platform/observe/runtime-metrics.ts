import { readdirSync, readFileSync } from "node:fs";
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics } from "node:v8";
import type { Meter } from "@opentelemetry/api";

import { gauge, type Values } from "./gauge";

/** Seconds. */
const GC_BUCKETS = [0.001, 0.01, 0.1, 1, 2, 5];
const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weakcb",
};
const PERCENTILES = [50, 90, 99];

/** Lines of a file of Linux below /proc/self; none on other systems. */
function linesOf(name: string): string[] {
  try {
    return readFileSync(`/proc/self/${name}`, "utf8").split("\n");
  } catch {
    return [];
  }
}
/** The number in the line that begins so. */
const numberIn = (name: string, beginning: string): number | undefined => {
  const found = /\d+/.exec(linesOf(name).find((line) => line.startsWith(beginning)) ?? "");
  return found ? Number(found[0]) : undefined;
};
const known = (value: number | undefined): Values => (value === undefined ? [] : [[value]]);

/** The delay of the event loop since the scrape before. Returns what ends it. */
function registerEventLoop(meter: Meter): () => void {
  const delays = monitorEventLoopDelay();
  delays.enable();
  gauge(meter, "nodejs_eventloop_lag_seconds", "Lag of event loop in seconds.", async () => {
    const begin = process.hrtime.bigint();
    await new Promise(setImmediate);
    return [[Number(process.hrtime.bigint() - begin) / 1e9]];
  });
  const name = (of: string) => `nodejs_eventloop_lag_${of}_seconds`;
  const figures = (["min", "max", "mean", "stddev"] as const).map((of) => ({
    instrument: meter.createObservableGauge(name(of), {
      description: `Event loop delay since the last scrape: ${of}`,
    }),
    read: () => delays[of],
  }));
  const percentiles = PERCENTILES.map((percentile) => ({
    instrument: meter.createObservableGauge(name(`p${percentile}`), {
      description: `The ${percentile}th percentile of the recorded event loop delays.`,
    }),
    read: () => delays.percentile(percentile),
  }));
  const all = [...figures, ...percentiles];
  meter.addBatchObservableCallback(
    (result) => {
      for (const { instrument, read } of all) result.observe(instrument, read() / 1e9);
      delays.reset();
    },
    all.map(({ instrument }) => instrument),
  );
  return () => void delays.disable();
}

type GarbageEntry = PerformanceEntry & { readonly detail: { readonly kind: number } };

/** The times of garbage collection. Returns what ends it. */
function registerGarbage(meter: Meter): () => void {
  const durations = meter.createHistogram("nodejs_gc_duration_seconds", {
    description: "Garbage collection duration by kind, one of major, minor, incremental or weakcb.",
    advice: { explicitBucketBoundaries: GC_BUCKETS },
  });
  const observer = new PerformanceObserver((list) => {
    // The types leave out what an entry of garbage collection has.
    for (const { duration, detail } of list.getEntries() as GarbageEntry[])
      durations.record(duration / 1_000, { kind: GC_KINDS[detail.kind] ?? "other" });
  });
  observer.observe({ entryTypes: ["gc"] });
  return () => observer.disconnect();
}

/**
 * Event loop, garbage collection, memory, CPU and open files of this process, under the names that Prometheus's clients
 * have for them. Returns what ends it.
 */
export function registerRuntime(meter: Meter): () => void {
  const endEventLoop = registerEventLoop(meter);
  const endGarbage = registerGarbage(meter);
  const count = (name: string, description: string, of: "user" | "system" | "both") =>
    meter.createObservableCounter(name, { description }).addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe({ user, system, both: user + system }[of] / 1e6);
    });
  count("process_cpu_user_seconds_total", "Total user CPU time spent in seconds.", "user");
  count("process_cpu_system_seconds_total", "Total system CPU time spent in seconds.", "system");
  count("process_cpu_seconds_total", "Total user and system CPU time spent in seconds.", "both");
  const start = Math.round(Date.now() / 1_000 - process.uptime());
  const [major = "", minor = "", patch = ""] = process.versions.node.split(".");
  const kilobytes = (line: string) => {
    const found = numberIn("status", line);
    return found === undefined ? undefined : found * 1_024;
  };
  const plain: readonly (readonly [name: string, help: string, read: () => Values])[] = [
    ["process_start_time_seconds", "Start time of the process since unix epoch in seconds.", () => [[start]]],
    ["process_resident_memory_bytes", "Resident memory size in bytes.", () => [[process.memoryUsage.rss()]]],
    ["process_virtual_memory_bytes", "Virtual memory size in bytes.", () => known(kilobytes("VmSize:"))],
    ["process_heap_bytes", "Process heap size in bytes.", () => known(kilobytes("VmData:"))],
    [
      "process_max_fds",
      "Maximum number of open file descriptors.",
      () => known(numberIn("limits", "Max open files")),
    ],
    [
      "process_open_fds",
      "Number of open file descriptors.",
      // Without that of the folder itself.
      () => (process.platform === "linux" ? [[readdirSync("/proc/self/fd").length - 1]] : []),
    ],
    [
      "nodejs_heap_size_total_bytes",
      "Process heap size from Node.js in bytes.",
      () => [[process.memoryUsage().heapTotal]],
    ],
    [
      "nodejs_heap_size_used_bytes",
      "Process heap size used from Node.js in bytes.",
      () => [[process.memoryUsage().heapUsed]],
    ],
    [
      "nodejs_external_memory_bytes",
      "Node.js external memory size in bytes.",
      () => [[process.memoryUsage().external]],
    ],
    [
      "nodejs_version_info",
      "Node.js version info.",
      () => [[1, { version: process.version, major, minor, patch }]],
    ],
    [
      "nodejs_active_resources",
      "Number of active resources that are currently keeping the event loop alive, grouped by async resource type.",
      () => {
        const counts = new Map<string, number>();
        for (const type of process.getActiveResourcesInfo()) counts.set(type, (counts.get(type) ?? 0) + 1);
        return [...counts].map(([type, number]) => [number, { type }] as const);
      },
    ],
    [
      "nodejs_active_resources_total",
      "Total number of active resources.",
      () => [[process.getActiveResourcesInfo().length]],
    ],
  ];
  for (const each of plain) gauge(meter, ...each);
  for (const [of, size] of [
    ["total", "space_size"],
    ["used", "space_used_size"],
    ["available", "space_available_size"],
  ] as const)
    gauge(
      meter,
      `nodejs_heap_space_size_${of}_bytes`,
      `Process heap space size ${of} from Node.js in bytes.`,
      () =>
        getHeapSpaceStatistics().map((each) => [
          each[size],
          { space: each.space_name.replace(/_space$/, "") },
        ]),
    );
  return () => {
    endEventLoop();
    endGarbage();
  };
}
