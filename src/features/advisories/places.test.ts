import { expect, it } from "vitest";

import { installedText } from "./installed";
import { exceptionsIn, placeText } from "./places";

const advisory = (uid: string, appliesTo: string, more: object = {}) => ({
  uid,
  name: "one",
  artifactName: "one",
  artifactType: "deb",
  aliases: ["CVE-2026-1"],
  appliesTo,
  ...more,
});

it("prefers the more specific advisory for what it names", () => {
  const [general, release, version] = [
    advisory("a", ""),
    advisory("b", "Debian:12"),
    advisory("c", "Debian:12 1.2"),
  ];
  const found = exceptionsIn([general, release, version]);
  expect(found.get("a")).toEqual(["Debian:12", "Debian:12 1.2"]);
  expect(found.get("b")).toEqual(["Debian:12 1.2"]);
  expect(found.has("c")).toBe(false);
  expect(placeText(general, ["Debian:12"])).toBe("Everywhere except Debian:12, which has its own advisory");
  expect(placeText(release, [])).toBe("Debian:12");
  expect(placeText(general, [])).toBeUndefined();
});

it("keeps releases, packages and vulnerabilities apart", () => {
  const all = [
    advisory("a", "Debian:1"),
    advisory("b", "Debian:12"),
    advisory("c", "", { artifactName: "two" }),
    advisory("d", "", { aliases: ["CVE-2026-2"] }),
  ];
  expect(exceptionsIn(all).size).toBe(0);
});

it("decides for a version by the range that contains it", () => {
  const yes = { verdict: "VERSION_VERDICT_AFFECTED", range: { introduced: "1.0", fixed: "1.4" } };
  const no = { verdict: "VERSION_VERDICT_NOT_AFFECTED", range: { fixed: "1.4" } };
  expect(installedText(yes)).toBe("Yes, affected (from 1.0, before 1.4)");
  expect(installedText(no)).toBe("No, not affected (affected: before 1.4)");
  expect(installedText({ verdict: "VERSION_VERDICT_NEW" })).toBe("Unknown");
});
