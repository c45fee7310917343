import { expect, it } from "vitest";

import { placeOf, placeText as placeTextOf } from "platform-contract/vulnerabilities/places";

import { installedText, whyUnknown } from "./installed";
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

it.each([
  ["", "", undefined],
  ["Wolfi", "Wolfi", undefined],
  ["Wolfi 1.2-r0", "Wolfi", "1.2-r0"],
  ["1.2.3", "", "1.2.3"],
  ["Ubuntu:Pro:FIPS-updates:20.04:LTS", "Ubuntu:Pro:FIPS-updates:20.04:LTS", undefined],
  ["Photon OS:5.0 1.2-3", "Photon OS:5.0", "1.2-3"],
  ["BellSoft Hardened Containers:23", "BellSoft Hardened Containers:23", undefined],
  ["SUSE:Linux Enterprise Server 15 SP4", "SUSE:Linux Enterprise Server 15 SP4", undefined],
  ["SUSE:Linux Enterprise Server 15 SP4 1.2.3", "SUSE:Linux Enterprise Server 15 SP4", "1.2.3"],
  ["SUSE:Linux Enterprise Server 15", "SUSE:Linux Enterprise Server 15", undefined],
  ["openSUSE:Leap 15.6", "openSUSE:Leap 15.6", undefined],
  ["openSUSE:Leap 15.6 4.5.6-lp156.1.1", "openSUSE:Leap 15.6", "4.5.6-lp156.1.1"],
  ["openSUSE:Tumbleweed 4.5.6-1.1", "openSUSE:Tumbleweed", "4.5.6-1.1"],
  [
    "Red Hat:enterprise_linux:8::appstream (nodejs:18)",
    "Red Hat:enterprise_linux:8::appstream (nodejs:18)",
    undefined,
  ],
  [`sha256:${"a".repeat(64)}`, "", `sha256:${"a".repeat(64)}`],
])("reads %j as a release and a version", (text, distribution, version) => {
  expect(placeOf(text)).toEqual({ distribution, version });
});

it("keeps a version apart from a release without a number", () => {
  expect(placeOf(placeTextOf("openSUSE:Tumbleweed", "4.5.6"))).toEqual({
    distribution: "openSUSE:Tumbleweed",
    version: "0:4.5.6",
  });
});

it("doesn't take a service pack for a version of its release", () => {
  const all = [
    advisory("a", "SUSE:Linux Enterprise Server 15"),
    advisory("b", "SUSE:Linux Enterprise Server 15 SP4"),
  ];
  expect(exceptionsIn(all).size).toBe(0);
});

it("says why a version is unknown", () => {
  const one = { version: "2004e", verdict: "VERSION_VERDICT_UNKNOWN" };
  expect(installedText(one, whyUnknown("", { uid: "1", affectedRanges: [{ fixed: "2007" }] }))).toBe(
    "Unknown: it can't be compared with the versions of this advisory",
  );
  expect(installedText(one, whyUnknown("Wolfi 1.0-r0", undefined))).toBe(
    "Unknown: this advisory is only about 1.0-r0",
  );
  expect(installedText(one, whyUnknown("Wolfi", undefined))).toBe("Unknown");
});
