import { expect, test } from "vitest";

import { ConfigError, readConfig } from "../../config";
import { policyOfPages } from "./headers";

test("images of readmes come from the origins that were named, and from no other", () => {
  const named = readConfig({ README_IMAGE_ORIGINS: "https://images.example, https://badges.example:8443" });
  expect(policyOfPages(named)).toContain(
    "; img-src 'self' https://images.example https://badges.example:8443;",
  );
  expect(policyOfPages(readConfig({}))).not.toContain("img-src");
  for (const bad of ["https://images.example/", "https://images.example/a", "*", "data:", "'unsafe-inline'"])
    expect(() => readConfig({ README_IMAGE_ORIGINS: bad })).toThrow(ConfigError);
});
