import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

import { readConfig } from "./config";
import { NAMES, SECRETS, environment } from "./environment";

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");

test("the table of settings names every variable, and no other", () => {
  const section = read("../docs/operate/settings.md");
  const told = [...section.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name = ""]) => name),
  );
  const known = Object.keys(environment.shape).filter((name) => !name.startsWith("OTEL_"));
  expect(told.toSorted()).toEqual(known.toSorted());
});

/** Variables of Node and OpenTelemetry that the documents name: the start reads them, not the service. */
const DOCUMENTS = [
  "../README.md",
  ...["backups", "connect", "data", "front", "ingest", "install", "settings", "watch"].map(
    (name) => `../docs/operate/${name}.md`,
  ),
  "../docs/kubernetes.md",
];
const NAMED = DOCUMENTS.flatMap((path) => read(path).match(/\b(?:OTEL|NODE)_[A-Z_]+\b/g) ?? []);
const FOREIGN = [...new Set(NAMED)].filter((name) => !NAMES.includes(name) && name !== "NODE_IMAGE");

test("compose.yaml passes every variable, and what it passes by itself is right", () => {
  const { services } = parse(read("../compose.yaml")) as {
    services: { platform: { environment: Record<string, string> } };
  };
  const { environment: passed } = services.platform;
  // It brings its own database.
  const wanted = [...NAMES.filter((name) => name !== "DATABASE_URL_FILE"), ...FOREIGN];
  expect(Object.keys(passed).toSorted()).toEqual(wanted.toSorted());
  const filled = Object.fromEntries(
    Object.entries(passed).map(([name, value]) => [
      name,
      value.replace(/\$\{POSTGRES_PASSWORD[^}]*\}/, "secret").replace(/\$\{\w+:-(.*)\}/, "$1"),
    ]),
  );
  for (const [name, value] of Object.entries(passed))
    if (value.includes(":-")) expect(value).toBe(`\${${name}:-${filled[name]}}`);
  expect(readConfig(filled)).toMatchObject({
    host: "0.0.0.0",
    publicUrl: "http://localhost:8080",
    seed: "none",
    dataDir: "/data",
  });
});

test("the schema of the chart's values knows every variable and every secret of the service", () => {
  const schema = JSON.parse(read("../deploy/chart/values.schema.json")) as {
    properties: {
      settings: { properties: object };
      secret: { properties: { values: { properties: object } } };
    };
  };
  const { settings, secret } = schema.properties;
  const secrets = Object.keys(secret.properties.values.properties);
  expect(secrets.toSorted()).toEqual(SECRETS.toSorted());
  const chart = ["HOST", "PORT", "DATA_DIR", "PUBLIC_URL", "METRICS_HOST", "METRICS_PORT"];
  const wanted = NAMES.filter((name) => !name.endsWith("_FILE") && ![...secrets, ...chart].includes(name));
  const others = FOREIGN.filter((name) => name.startsWith("NODE_"));
  expect(Object.keys(settings.properties).toSorted()).toEqual([...wanted, ...others].toSorted());
});
