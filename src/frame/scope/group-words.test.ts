import { expect, it } from "vitest";
import { capitalize } from "~/ui/display/capitalize";

import { kindOf, nameOf, organizationKind, organizationStatus } from "./group-words";

const root = "a".repeat(40);

it("calls a root group an organization and every other one a folder", () => {
  expect(kindOf(root)).toBe("organization");
  expect(kindOf(`${root}/${"b".repeat(16)}`)).toBe("folder");
  expect(capitalize(kindOf(root))).toBe("Organization");
});

it("puts known kinds and states into words, and shows those of a newer server as they are", () => {
  expect(organizationKind("ORG_KIND_AWS_MARKETPLACE")).toBe("AWS Marketplace");
  expect(organizationKind("ORG_KIND_NONPROFIT")).toBe("ORG_KIND_NONPROFIT");
  expect(organizationStatus("ORG_STATUS_SUSPENDED")).toEqual({ word: "Suspended", tone: "danger" });
  expect(organizationStatus("ORG_STATUS_MOVED")).toEqual({ word: "ORG_STATUS_MOVED", tone: "neutral" });
});

it("has no word for what is not set", () => {
  expect(organizationKind(undefined)).toBeUndefined();
  expect(organizationKind("ORG_KIND_UNSPECIFIED")).toBeUndefined();
  expect(organizationStatus("")).toBeUndefined();
  expect(organizationStatus("ORG_STATUS_UNSPECIFIED")).toBeUndefined();
});

it("names a group by its uid where a service gives no name", () => {
  expect(nameOf({ uid: root, name: "Acme" })).toBe("Acme");
  expect(nameOf({ uid: root, name: "" })).toBe("aaaaaaaa…aaaaaaaa");
});
