/**
 * What the demo's images are built from, and its vulnerabilities: well-known package names, invented vulnerabilities.
 */

export interface DemoPackage {
  /** The origin package. */
  readonly name: string;
  /** The first version of its history; rebuilds and patches follow. Undefined for one that is released with the tags of repos. */
  readonly version?: string;
  /** Those repos: the first has its history. */
  readonly repos?: readonly string[];
  /** Its subpackages in images; defaults to the package itself. */
  readonly parts?: readonly string[];
  /** Number of its vulnerabilities in the last thirteen months. */
  readonly vulnerabilities: number;
  /** Where scanners find them, if not in the package itself: in what was linked into it. */
  readonly components?: Components;
}

type Components = readonly (readonly [type: string, name: string, location: string])[];

const GO = (binary: string): Components => [
  ["go-module", "stdlib", `/usr/bin/${binary}`],
  ["go-module", "golang.org/x/net", `/usr/bin/${binary}`],
  ["go-module", "golang.org/x/crypto", `/usr/bin/${binary}`],
  ["go-module", "github.com/golang-jwt/jwt/v5", `/usr/bin/${binary}`],
];
const JARS = (home: string): Components => [
  ["java-archive", "netty-codec-http", `${home}/netty-codec-http.jar`],
  ["java-archive", "jackson-databind", `${home}/jackson-databind.jar`],
  ["java-archive", "jetty-server", `${home}/jetty-server.jar`],
];
const WHEELS = (site: string): Components => [
  ["python", "urllib3", `${site}/urllib3`],
  ["python", "requests", `${site}/requests`],
  ["python", "pillow", `${site}/PIL`],
];

export const PACKAGES: readonly DemoPackage[] = [
  { name: "ca-certificates", version: "20250911", parts: ["ca-certificates-bundle"], vulnerabilities: 0 },
  { name: "glibc", repos: ["glibc-dynamic"], parts: ["glibc", "ld-linux", "libcrypt1"], vulnerabilities: 14 },
  { name: "openssl", version: "3.5.0", parts: ["libcrypto3", "libssl3"], vulnerabilities: 18 },
  { name: "zlib", version: "1.3.1", vulnerabilities: 4 },
  { name: "busybox", repos: ["busybox"], vulnerabilities: 9 },
  { name: "apk-tools", version: "2.14.10", parts: ["apk-tools", "libapk2"], vulnerabilities: 3 },
  { name: "libxml2", version: "2.14.3", vulnerabilities: 12 },
  { name: "expat", version: "2.7.1", parts: ["libexpat1"], vulnerabilities: 8 },
  { name: "sqlite", version: "3.50.1", parts: ["sqlite-libs"], vulnerabilities: 8 },
  { name: "curl", repos: ["curl"], parts: ["curl", "libcurl-openssl4"], vulnerabilities: 15 },
  { name: "nghttp2", version: "1.65.0", parts: ["libnghttp2-14"], vulnerabilities: 4 },
  { name: "pcre2", version: "10.45", vulnerabilities: 4 },
  { name: "krb5", version: "1.21.3", parts: ["krb5-libs"], vulnerabilities: 7 },
  { name: "ncurses", version: "6.5", vulnerabilities: 3 },
  { name: "xz", version: "5.8.1", parts: ["xz-libs"], vulnerabilities: 3 },
  { name: "libarchive", version: "3.8.0", vulnerabilities: 8 },
  { name: "openldap", version: "2.6.9", parts: ["libldap-2.6"], vulnerabilities: 4 },
  { name: "git", repos: ["git"], vulnerabilities: 10 },
  { name: "binutils", version: "2.44", vulnerabilities: 9 },
  { name: "gcc", repos: ["gcc"], parts: ["gcc", "libgcc", "libstdc++"], vulnerabilities: 4 },
  {
    name: "python",
    repos: ["python"],
    vulnerabilities: 14,
    components: WHEELS("/usr/lib/python3/site-packages"),
  },
  { name: "nodejs", repos: ["node"], vulnerabilities: 14 },
  {
    name: "openjdk",
    repos: ["jdk", "jre"],
    parts: ["openjdk-jre", "openjdk-jre-base"],
    vulnerabilities: 12,
  },
  { name: "go", repos: ["go"], vulnerabilities: 12 },
  { name: "rust", repos: ["rust"], vulnerabilities: 3 },
  { name: "kubectl", repos: ["kubectl"], vulnerabilities: 8, components: GO("kubectl") },
  { name: "coredns", repos: ["coredns"], vulnerabilities: 7, components: GO("coredns") },
  {
    name: "cert-manager",
    repos: ["cert-manager-controller"],
    vulnerabilities: 7,
    components: GO("cert-manager-controller"),
  },
  {
    name: "cluster-autoscaler",
    repos: ["cluster-autoscaler"],
    vulnerabilities: 6,
    components: GO("cluster-autoscaler"),
  },
  { name: "prometheus", repos: ["prometheus"], vulnerabilities: 9, components: GO("prometheus") },
  { name: "grafana", repos: ["grafana"], vulnerabilities: 13, components: GO("grafana") },
  {
    name: "opentelemetry-collector",
    repos: ["opentelemetry-collector"],
    vulnerabilities: 8,
    components: GO("otelcol"),
  },
  { name: "cosign", repos: ["cosign"], vulnerabilities: 6, components: GO("cosign") },
  { name: "crane", repos: ["crane"], vulnerabilities: 4, components: GO("crane") },
  { name: "postgresql", repos: ["postgres"], parts: ["postgresql", "libpq"], vulnerabilities: 10 },
  { name: "trino", repos: ["trino"], vulnerabilities: 9, components: JARS("/usr/lib/trino") },
  { name: "kafka", repos: ["kafka"], vulnerabilities: 9, components: JARS("/usr/lib/kafka") },
  { name: "redis", repos: ["redis"], vulnerabilities: 11 },
  { name: "py3-torch", repos: ["pytorch"], vulnerabilities: 9, components: WHEELS("/usr/share/torch/lib") },
  {
    name: "tritonserver",
    repos: ["tritonserver"],
    vulnerabilities: 7,
    components: WHEELS("/opt/tritonserver"),
  },
  { name: "vault", repos: ["vault"], vulnerabilities: 11, components: GO("vault") },
  {
    name: "external-secrets",
    repos: ["external-secrets"],
    vulnerabilities: 6,
    components: GO("external-secrets"),
  },
  { name: "nginx", repos: ["nginx"], vulnerabilities: 9 },
  { name: "haproxy", repos: ["haproxy"], vulnerabilities: 7 },
  { name: "envoy", repos: ["envoy"], vulnerabilities: 11 },
  { name: "minio", repos: ["minio"], vulnerabilities: 9, components: GO("minio") },
];

const TLS = ["glibc", "openssl", "zlib"];

/** The origin packages of an image, in addition to the certificates; repos not listed here contain only those. */
export const BUILT_FROM: Readonly<Record<string, readonly string[]>> = {
  "glibc-dynamic": ["glibc"],
  busybox: ["glibc", "busybox"],
  git: [...TLS, "git", "curl", "nghttp2", "pcre2", "expat"],
  curl: [...TLS, "curl", "nghttp2", "krb5", "openldap"],
  python: [...TLS, "python", "expat", "sqlite", "ncurses", "xz"],
  node: [...TLS, "nodejs", "gcc", "nghttp2"],
  jdk: [...TLS, "openjdk", "gcc"],
  jre: [...TLS, "openjdk"],
  go: ["glibc", "go", "git", "binutils", "gcc"],
  rust: [...TLS, "rust", "gcc", "binutils", "curl"],
  gcc: ["glibc", "gcc", "binutils"],
  kubectl: ["kubectl"],
  coredns: ["coredns"],
  "cert-manager-controller": ["cert-manager"],
  "cluster-autoscaler": ["cluster-autoscaler"],
  prometheus: ["prometheus", "busybox", "glibc"],
  grafana: ["grafana", ...TLS, "sqlite"],
  "opentelemetry-collector": ["opentelemetry-collector"],
  cosign: ["cosign"],
  crane: ["crane"],
  postgres: [...TLS, "postgresql", "libxml2", "krb5", "openldap", "ncurses"],
  trino: [...TLS, "openjdk", "trino"],
  kafka: [...TLS, "openjdk", "kafka"],
  redis: [...TLS, "redis"],
  pytorch: [...TLS, "python", "py3-torch", "gcc", "sqlite", "expat"],
  tritonserver: [...TLS, "python", "tritonserver", "gcc", "libarchive", "curl"],
  vault: ["vault", "busybox", "glibc"],
  "external-secrets": ["external-secrets"],
  nginx: [...TLS, "nginx", "pcre2"],
  haproxy: [...TLS, "haproxy", "pcre2"],
  envoy: ["glibc", "envoy", "gcc"],
  minio: ["minio", "busybox", "glibc"],
  "checkout-service": [...TLS, "nodejs", "gcc"],
  "tracking-api": [...TLS, "openjdk"],
};

/** Additional packages of a -dev variant. */
export const BUILD_TOOLS = ["busybox", "apk-tools"];

/** Flaws, each with a CVSS vector. */
export const FLAWS: readonly (readonly [summary: string, vector: string])[] = [
  ["Heap buffer overflow while reading a malformed header", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"],
  ["Use after free when a connection is reset twice", "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:H"],
  ["Unbounded memory use for deeply nested input", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"],
  ["Out-of-bounds read in the decoder of compressed data", "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:L/I:N/A:L"],
  ["Quadratic time in the parser of long names", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:L"],
  [
    "Certificate names are compared without their constraints",
    "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:H/I:H/A:N",
  ],
  ["A path in an archive leads out of its directory", "CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:N/I:H/A:L"],
  [
    "Credentials are sent again after a redirect to another host",
    "CVSS:3.1/AV:N/AC:L/PR:N/UI:R/S:U/C:H/I:N/A:N",
  ],
  ["A request is read as two behind some proxies", "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:L/I:L/A:N"],
  ["Temporary files can be replaced by another user", "CVSS:3.1/AV:L/AC:H/PR:L/UI:N/S:U/C:L/I:L/A:N"],
  ["Timing tells the length of a secret", "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N"],
  ["A crafted query is run with the rights of its reader", "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"],
];

/** CVSS 4 vectors, which some have in addition. */
export const MODERN = [
  "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N",
  "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:H/SC:N/SI:N/SA:N",
  "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:L/VI:L/VA:N/SC:N/SI:N/SA:N",
];

/** What people say in the history of an advisory, by type of event. */
export const NOTES = {
  analysisNotPlanned: "Other findings come first.",
  truePositiveDetermination: "Reachable with the default configuration.",
  fixNotPlanned: "Upstream does not plan to fix this.",
  pendingUpstreamFix: "A patch is under review upstream.",
  patched: "Backported.",
} as const;

export const NOT_AFFECTED = [
  ["TYPE_VULNERABLE_CODE_NOT_INCLUDED_IN_PACKAGE", "The module is not part of our build."],
  ["TYPE_COMPONENT_VULNERABILITY_MISMATCH", "The record is about a plugin of the same name."],
  ["TYPE_VULNERABLE_CODE_NOT_IN_EXECUTION_PATH", "The function is linked and never called."],
  ["TYPE_VULNERABILITY_RECORD_ANALYSIS_CONTESTED", "Upstream disputes that this crosses a boundary."],
  ["TYPE_VULNERABLE_CODE_VERSION_NOT_USED", "It came with a version that was never packaged."],
] as const;

export const SCANNER = "scanner@meridian-freight.example";
export const TRIAGE = ["ines.moreau@meridian-freight.example", "tomasz.lis@meridian-freight.example"];
export const REVIEWERS = ["dara.quinn@meridian-freight.example", "hiro.tanabe@meridian-freight.example"];
