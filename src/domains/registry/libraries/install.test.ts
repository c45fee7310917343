import { expect, it } from "vitest";

import { coordinate, waysToInstall } from "./install";

const textOf = (uid: string, id: string, version: string, host = "registry.example") => {
  const name = uid.slice(uid.indexOf(":") + 1);
  return waysToInstall(uid, { name, version, host }).find((way) => way.id === id)?.text;
};

it("names the registry and pins the version", () => {
  expect(textOf("python:requests", "pip", "2.32.3")).toBe(
    "pip install --index-url https://registry.example/python/simple/ requests==2.32.3",
  );
  expect(textOf("python:requests", "uv", "2.32.3", "https://registry.example:8443/")).toBe(
    "uv add --default-index https://registry.example:8443/python/simple/ requests==2.32.3",
  );
  expect(textOf("java:org.slf4j:slf4j-api", "maven", "2.0.16")).toContain(
    "<artifactId>slf4j-api</artifactId>",
  );
  expect(textOf("java:org.slf4j:slf4j-api", "gradle", "2.0.16")).toContain(
    'implementation("org.slf4j:slf4j-api:2.0.16")',
  );
  expect(coordinate("python:requests", { name: "requests", version: "2.32.3" })).toBe("requests==2.32.3");
});

it("escapes for shells, XML and Kotlin", () => {
  expect(textOf("python:odd", "pip", "1!2.0; rm -rf '~'")).toContain(
    String.raw`'odd==1!2.0; rm -rf '\''~'\'''`,
  );
  expect(textOf("java:a:b", "maven", "</version>")).toContain("<version>&lt;/version&gt;</version>");
  expect(textOf("java:a:b", "gradle", '${1}"')).toContain(String.raw`"a:b:\${1}\""`);
});

it("knows no way for another ecosystem", () => {
  expect(waysToInstall("npm:left-pad", { name: "left-pad", version: "1", host: "h" })).toEqual([]);
});
