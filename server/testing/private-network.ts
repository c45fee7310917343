import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { vi } from "vitest";

import { canInstall, install } from "../../tools/debian";

/** True where processes can have a network or a table of hosts of their own, and tinyproxy is there or can be installed. */
export const hasNetworks = (): boolean =>
  process.getuid?.() === 0 &&
  spawnSync("openssl", ["version"]).status === 0 &&
  spawnSync("unshare", ["--mount", "--net", "true"]).status === 0 &&
  spawnSync("ip", ["-Version"]).status === 0 &&
  (spawnSync("tinyproxy", ["-v"]).status === 0 || (canInstall() && install("tinyproxy-bin", "tinyproxy")));

/** Writes a program that runs `command` with `hosts` as its /etc/hosts, in a network namespace if one is named. */
export function inside(
  folder: string,
  name: string,
  command: string,
  { hosts, network }: { readonly hosts: string; readonly network?: string },
): string {
  const file = path.join(folder, name);
  writeFileSync(`${file}.hosts`, hosts);
  const apart = network === undefined ? "unshare --mount" : `ip netns exec ${network}`;
  const script = `#!/bin/sh\nexec ${apart} sh -c 'mount --bind ${file}.hosts /etc/hosts && exec ${command} "$@"' sh "$@"\n`;
  writeFileSync(file, script, { mode: 0o755 });
  return file;
}

export interface Tinyproxy {
  readonly process: ChildProcess;
  /** What it was asked for. */
  readonly log: string;
}

/** Debian's tinyproxy, which opens tunnels to `ports` and finds hosts in `hosts` alone. */
export async function startTinyproxy(
  folder: string,
  {
    address,
    port,
    ports,
    hosts,
  }: {
    readonly address: string;
    readonly port: number;
    readonly ports: readonly number[];
    readonly hosts: string;
  },
): Promise<Tinyproxy> {
  const [settings, log] = [path.join(folder, "tinyproxy.conf"), path.join(folder, "proxy.log")];
  const tunnels = ports.map((each) => `ConnectPort ${each}\n`).join("");
  writeFileSync(
    settings,
    `Port ${port}\nListen ${address}\nTimeout 20\nLogFile "${log}"\nLogLevel Connect\nMaxClients 20\n${tunnels}`,
  );
  const program = inside(folder, "proxy.sh", "tinyproxy", { hosts });
  const proxy = spawn(program, ["-d", "-c", settings], { stdio: "ignore" });
  await vi.waitFor(
    () =>
      new Promise<void>((resolve, reject) => {
        const socket = connect(port, address, () => resolve(void socket.destroy()));
        socket.once("error", reject);
      }),
    { timeout: 10_000 },
  );
  return { process: proxy, log };
}

/** Addresses that nobody has named; PORT is one at which something listens. */
export const REFUSED = [
  "https://127.0.0.1:PORT/",
  "https://127.0.0.2:PORT/",
  "https://localhost:PORT/",
  "https://[::1]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://10.255.77.2:PORT/",
  "https://[::ffff:10.255.77.2]:PORT/",
  "https://10.255.77.3/",
  "https://172.16.0.1/",
  "https://192.168.0.1/",
  "https://100.64.0.1/",
  "https://100.100.100.200/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[fe80::1]/",
  "https://[fd00:ec2::254]/",
  "https://[fd00::1]/",
  "https://168.63.129.16/",
  "https://[64:ff9b::a9fe:a9fe]/",
  "https://0.0.0.0:PORT/",
  "http://hooks.corp.example:PORT/",
  "https://other.corp.internal:PORT/",
  "https://vm:PORT/",
];
