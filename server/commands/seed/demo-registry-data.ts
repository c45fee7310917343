/** The images of the demo organization as data: well-known names, in families of versions. */

export interface DemoRepo {
  /** Its folder. */
  readonly at: readonly string[];
  readonly name: string;
  readonly description: string;
  readonly tier: "APPLICATION" | "BASE" | "FIPS" | "AI" | "DEVTOOLS";
  /** Minor versions, oldest first, with their number of patches; the oldest are deprecated. */
  readonly versions: readonly (readonly [minor: string, patches: number])[];
  /** How many of the versions have reached their end of life: about a fifth of all tags are deprecated. */
  readonly ended: number;
  /** Megabytes for amd64. */
  readonly size: number;
  readonly aliases?: readonly string[];
  readonly run?: string;
  readonly note?: string;
}

const BASE = ["platform", "base-images"];
const minors = (major: number, from: number, to: number, patches: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => [`${major}.${from + index}`, patches] as const);

export const REPOS: readonly DemoRepo[] = [
  {
    at: BASE,
    name: "static",
    description: "Certificates and nothing to run, for one static binary",
    tier: "BASE",
    versions: [
      ["2025", 3],
      ["2026", 12],
    ],
    ended: 1,
    size: 1,
    note: "There is no shell. Copy your binary to `/app` and set the entry point.",
  },
  {
    at: BASE,
    name: "glibc-dynamic",
    description: "A C library and certificates, for binaries that link dynamically",
    tier: "BASE",
    versions: [
      ["2.38", 4],
      ["2.39", 5],
      ["2.40", 6],
      ["2.41", 4],
    ],
    ended: 1,
    size: 12,
  },
  {
    at: BASE,
    name: "busybox",
    description: "A small shell for jobs that need one",
    tier: "BASE",
    versions: [["1.35", 2], ...minors(1, 36, 37, 4)],
    ended: 1,
    size: 5,
    run: "sh -c 'echo ready'",
  },
  {
    at: BASE,
    name: "git",
    description: "git for build steps",
    tier: "DEVTOOLS",
    versions: minors(2, 44, 51, 4),
    ended: 2,
    size: 28,
    run: "git --version",
  },
  {
    at: BASE,
    name: "curl",
    description: "curl for health checks and jobs",
    tier: "DEVTOOLS",
    versions: minors(8, 5, 12, 3),
    ended: 2,
    size: 9,
    run: "curl --version",
  },
  {
    at: ["runtime", "python"],
    name: "python",
    description: "CPython",
    tier: "BASE",
    versions: [
      ["3.9", 14],
      ["3.10", 18],
      ["3.11", 13],
      ["3.12", 11],
      ["3.13", 9],
      ["3.14", 3],
    ],
    ended: 1,
    size: 34,
    aliases: ["python3", "cpython"],
    run: "python -c 'print(\"ready\")'",
    note: "The plain image has no shell. Build in a stage that begins from the `-dev` variant, then copy the virtual environment.",
  },
  {
    at: ["runtime", "node"],
    name: "node",
    description: "Node.js",
    tier: "BASE",
    versions: [
      ["18.20", 5],
      ["20.18", 6],
      ["20.19", 5],
      ["22.11", 3],
      ["22.14", 5],
      ["24.2", 4],
    ],
    ended: 1,
    size: 62,
    aliases: ["nodejs"],
    run: "node -p process.version",
  },
  {
    at: ["runtime", "java"],
    name: "jdk",
    description: "OpenJDK, for builds",
    tier: "DEVTOOLS",
    versions: [
      ["11.0", 6],
      ["17.0", 12],
      ["21.0", 8],
      ["25.0", 2],
    ],
    ended: 1,
    size: 210,
    aliases: ["openjdk"],
    run: "javac -version",
  },
  {
    at: ["runtime", "java"],
    name: "jre",
    description: "The Java runtime alone",
    tier: "BASE",
    versions: [
      ["11.0", 6],
      ["17.0", 12],
      ["21.0", 8],
      ["25.0", 2],
    ],
    ended: 1,
    size: 92,
    run: "java -version",
  },
  {
    at: ["runtime", "golang"],
    name: "go",
    description: "The Go toolchain, for builds",
    tier: "DEVTOOLS",
    versions: [
      ["1.22", 2],
      ["1.23", 4],
      ["1.24", 12],
      ["1.25", 7],
    ],
    ended: 2,
    size: 240,
    aliases: ["golang"],
    run: "go version",
  },
  {
    at: ["runtime", "native"],
    name: "rust",
    description: "rustc and cargo, for builds",
    tier: "DEVTOOLS",
    versions: minors(1, 78, 91, 2),
    ended: 3,
    size: 320,
    run: "cargo --version",
  },
  {
    at: ["runtime", "native"],
    name: "gcc",
    description: "The GNU compilers",
    tier: "DEVTOOLS",
    versions: [
      ["12.3", 2],
      ["13.3", 3],
      ["14.2", 3],
      ["15.1", 2],
    ],
    ended: 1,
    size: 180,
  },
  {
    at: ["platform", "kubernetes"],
    name: "kubectl",
    description: "kubectl for jobs inside the cluster",
    tier: "APPLICATION",
    versions: minors(1, 30, 34, 6),
    ended: 1,
    size: 48,
    run: "kubectl version --client",
  },
  {
    at: ["platform", "kubernetes"],
    name: "coredns",
    description: "Cluster DNS",
    tier: "APPLICATION",
    versions: minors(1, 10, 13, 3),
    ended: 1,
    size: 45,
  },
  {
    at: ["platform", "kubernetes"],
    name: "cert-manager-controller",
    description: "Issues and renews the certificates of a cluster",
    tier: "APPLICATION",
    versions: minors(1, 13, 18, 3),
    ended: 1,
    size: 66,
  },
  {
    at: ["platform", "kubernetes"],
    name: "cluster-autoscaler",
    description: "Adds and removes nodes as the work comes and goes",
    tier: "APPLICATION",
    versions: minors(1, 29, 34, 3),
    ended: 1,
    size: 74,
  },
  {
    at: ["platform", "observability"],
    name: "prometheus",
    description: "Metrics and alerts",
    tier: "APPLICATION",
    versions: [
      ["2.53", 2],
      ["3.4", 2],
      ["3.5", 3],
      ["3.6", 1],
    ],
    ended: 1,
    size: 108,
  },
  {
    at: ["platform", "observability"],
    name: "grafana",
    description: "Dashboards",
    tier: "APPLICATION",
    versions: [
      ["10.4", 4],
      ["11.2", 6],
      ["11.6", 4],
      ["12.1", 3],
    ],
    ended: 1,
    size: 196,
  },
  {
    at: ["platform", "observability"],
    name: "opentelemetry-collector",
    description: "Receives, samples and forwards traces, metrics and logs",
    tier: "APPLICATION",
    versions: minors(0, 118, 136, 1),
    ended: 4,
    size: 92,
  },
  {
    at: ["platform", "registry-ops"],
    name: "cosign",
    description: "Signs images and verifies signatures",
    tier: "DEVTOOLS",
    versions: minors(2, 2, 6, 3),
    ended: 1,
    size: 40,
    run: "cosign version",
  },
  {
    at: ["platform", "registry-ops"],
    name: "crane",
    description: "Copies and inspects images without a daemon",
    tier: "DEVTOOLS",
    versions: minors(0, 17, 20, 3),
    ended: 1,
    size: 14,
  },
  {
    at: ["data", "lakehouse"],
    name: "postgres",
    description: "PostgreSQL",
    tier: "APPLICATION",
    versions: [
      ["13", 15],
      ["14", 19],
      ["15", 14],
      ["16", 10],
      ["17", 6],
      ["18", 1],
    ],
    ended: 1,
    size: 118,
    aliases: ["postgresql"],
    note: "Data lives in `/var/lib/postgresql/data`. Mount a volume there, or it ends with the container.",
  },
  {
    at: ["data", "lakehouse"],
    name: "trino",
    description: "SQL over what lies in object storage",
    tier: "APPLICATION",
    versions: [
      ["465", 1],
      ["470", 2],
      ["476", 2],
    ],
    ended: 1,
    size: 760,
  },
  {
    at: ["data", "streaming"],
    name: "kafka",
    description: "Event log",
    tier: "APPLICATION",
    versions: [
      ["3.7", 2],
      ["3.8", 2],
      ["3.9", 2],
      ["4.0", 1],
      ["4.1", 1],
    ],
    ended: 1,
    size: 330,
  },
  {
    at: ["data", "streaming"],
    name: "redis",
    description: "In-memory data store",
    tier: "APPLICATION",
    versions: [
      ["6.0", 9],
      ["6.2", 17],
      ["7.2", 11],
      ["7.4", 6],
      ["8.0", 4],
    ],
    ended: 1,
    size: 22,
    run: "redis-server --version",
  },
  {
    at: ["data", "feature-store"],
    name: "pytorch",
    description: "PyTorch",
    tier: "AI",
    versions: [
      ["2.4", 2],
      ["2.5", 2],
      ["2.6", 1],
      ["2.7", 2],
      ["2.8", 1],
    ],
    ended: 1,
    size: 4100,
  },
  {
    at: ["research", "computer-vision"],
    name: "tritonserver",
    description: "Serves models from a file share",
    tier: "AI",
    versions: [
      ["24.08", 1],
      ["24.12", 1],
      ["25.03", 1],
      ["25.08", 1],
    ],
    ended: 1,
    size: 6900,
  },
  {
    at: ["security", "signing"],
    name: "vault",
    description: "Secrets and their leases",
    tier: "FIPS",
    versions: [["1.15", 6], ...minors(1, 16, 20, 5)],
    ended: 1,
    size: 152,
  },
  {
    at: ["security", "secrets"],
    name: "external-secrets",
    description: "Copies secrets from a store into a cluster",
    tier: "APPLICATION",
    versions: [
      ["0.14", 2],
      ["0.16", 2],
      ["0.18", 2],
      ["0.19", 2],
    ],
    ended: 1,
    size: 84,
  },
  {
    at: ["infrastructure", "edge"],
    name: "nginx",
    description: "Web server and reverse proxy",
    tier: "APPLICATION",
    versions: minors(1, 24, 29, 5),
    ended: 1,
    size: 24,
    aliases: ["nginx-unprivileged"],
    run: "nginx -v",
    note: "It listens on 8080, since it does not run as root.",
  },
  {
    at: ["infrastructure", "edge"],
    name: "haproxy",
    description: "TCP and HTTP load balancer",
    tier: "APPLICATION",
    versions: [
      ["2.7", 7],
      ["2.8", 15],
      ["3.0", 11],
      ["3.2", 4],
    ],
    ended: 1,
    size: 19,
  },
  {
    at: ["infrastructure", "network"],
    name: "envoy",
    description: "Proxy for services",
    tier: "APPLICATION",
    versions: minors(1, 31, 35, 4),
    ended: 1,
    size: 98,
  },
  {
    at: ["infrastructure", "storage"],
    name: "minio",
    description: "Object storage",
    tier: "APPLICATION",
    versions: [
      ["2025.4", 2],
      ["2025.7", 4],
      ["2025.9", 2],
    ],
    ended: 1,
    size: 61,
  },
  {
    at: ["commerce", "checkout"],
    name: "checkout-service",
    description: "Our own: carts, prices and payment",
    tier: "APPLICATION",
    versions: [
      ["41.0", 5],
      ["42.0", 12],
      ["43.0", 4],
    ],
    ended: 1,
    size: 88,
  },
  {
    at: ["logistics", "tracking"],
    name: "tracking-api",
    description: "Our own: where every container is",
    tier: "APPLICATION",
    versions: [
      ["7.12", 4],
      ["7.13", 14],
      ["8.0", 3],
    ],
    ended: 1,
    size: 71,
  },
  {
    at: ["research", "sandbox"],
    name: "markdown-sampler",
    description: "Every kind of Markdown that a readme can contain",
    tier: "DEVTOOLS",
    versions: [["0.1", 1]],
    ended: 0,
    size: 1,
  },
];

/** Repos that are copies of others, by the source's name. */
export const SYNCED: readonly {
  readonly at: readonly string[];
  readonly name: string;
  readonly source: string;
}[] = [
  { at: ["mobile", "customer-app"], name: "node-mirror", source: "node" },
  { at: ["infrastructure", "us-east"], name: "nginx-us-east", source: "nginx" },
];

const SAMPLER = `# Markdown sampler

Text with *emphasis*, **weight**, \`code\`, ~~strikethrough~~ and a [link](https://example.com/guide "A guide").

1. One
2. Two
   - nested
   - [x] done
   - [ ] to do

> A quotation
> of two lines.

| left | center | right |
|:-----|:------:|------:|
| a | b | 1 |
| longer than the others | | 1,000 |

\`\`\`yaml
image: registry.meridian-freight.example/meridian-freight/static:latest
\`\`\`

---

Harmless HTML such as <kbd>Ctrl</kbd> is shown.

<script>alert("This script is left out.")</script>

[A link that is not followed](javascript:alert(1)), and ![a picture from elsewhere](https://example.com/picture.png).
`;

/** The text of a repo's readme. */
export function readmeOf({ name, description, run, note, versions, ended }: DemoRepo): string {
  if (name === "markdown-sampler") return SAMPLER;
  const latest = versions.at(-1)?.[0] ?? "";
  const gone = versions.slice(0, ended).map(([minor]) => `\`${minor}\``);
  const lines = [
    `# ${name}`,
    `${description}.`,
    "## Use it",
    `\`\`\`sh\ndocker run --rm registry.meridian-freight.example/meridian-freight/${name}:${latest}${run ? ` ${run}` : ""}\n\`\`\``,
    ...(note ? [`> ${note}`] : []),
    "## Tags",
    "| tag | what it is |\n|---|---|",
  ];
  const rows = [
    "| `latest` | the newest version |",
    `| \`${latest}\` | the newest patch of ${latest} |`,
    `| \`${latest}.0-r0\` | one build of one version |`,
    "| `latest-dev` | with a shell and a package manager, for builds |",
  ];
  const end = gone.length > 0 ? [`Deprecated, and no longer rebuilt: ${gone.join(", ")}.`] : [];
  return `${[...lines].join("\n\n")}\n${rows.join("\n")}\n\n${[
    ...end,
    "## What is inside",
    "- runs as user `65532`, not as root",
    "- built for `amd64` and `arm64`",
  ].join("\n\n")}\n`.replaceAll("\n\n- built", "\n- built");
}
