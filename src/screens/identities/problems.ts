import * as z from "zod/mini";

import { identities, type IdentityInput } from "~/contract/iam/identities";
import type { Problem } from "~/ui/form/problems";

import { hasRef, refProblem } from "./github";
import { formField } from "./aliases";
import { changesBetween } from "./changes";
import { toBody, wireTime, type IdentityValues } from "./values";
import { keysProblem } from "./keys-problem";

const DAY_MS = 24 * 60 * 60_000;
/** Static keys live a year at most, from the creation of their identity (contract 1.2). */
const LIFE_DAYS = 365;

/** The last moment that static keys may work. */
export const latestExpiry = (createTime: string | undefined, now: number): Date =>
  new Date((createTime === undefined ? now : Date.parse(createTime)) + LIFE_DAYS * DAY_MS);

/** What the person is asked for: field in the form, value, and what is missing when it is empty. */
function needed(values: IdentityValues): [string, string, string][] {
  const { kind, github, claimMatch, staticKeys, awsIdentity } = values;
  switch (kind) {
    case "github": {
      const { trust } = github;
      const ids: [string, string, string][] = github.withoutIds
        ? []
        : [
            ["github.ownerId", github.ownerId, "Enter the owner's id"],
            ["github.repositoryId", github.repositoryId, "Enter the repository's id"],
          ];
      return [
        ["github.owner", github.owner, "Enter the owner"],
        ["github.repository", github.repository, "Enter the repository"],
        ...ids,
        ...(hasRef(trust)
          ? [[`github.refs.${trust}`, github.refs[trust], `Enter the ${trust}`] as [string, string, string]]
          : []),
      ];
    }
    case "claims":
      return [
        ["claimMatch.issuer", claimMatch.issuer, "Enter the issuer"],
        ["claimMatch.subject", claimMatch.subject, "Enter the subject"],
      ];
    case "keys":
      return [
        ["staticKeys.issuer", staticKeys.issuer, "Enter the issuer"],
        ["staticKeys.subject", staticKeys.subject, "Enter the subject"],
        ["staticKeys.issuerKeys", staticKeys.issuerKeys, "Paste the public keys"],
      ];
    case "aws":
      return [
        ["awsIdentity.awsAccount", awsIdentity.awsAccount, "Enter the account number"],
        ["awsIdentity.arn", awsIdentity.arn, "Enter the ARN"],
        ["awsIdentity.userId", awsIdentity.userId, "Enter the user id"],
      ];
    case "service":
      return [["servicePrincipal", values.servicePrincipal, "Choose a service"]];
    case "other":
      return [];
  }
}

/** What is wrong with what was entered, beyond the contract's own rules. */
function particular(values: IdentityValues, latest: Date, now: number): Problem[] {
  const { kind, name, github, claimMatch, staticKeys } = values;
  const found: Problem[] = [];
  const add = (field: string, description: string | undefined | false) => {
    if (description) found.push({ field, description });
  };
  const strange = [...new Set(name.trim().match(/[^a-z0-9 ._-]/gu))];
  add("name", strange.length > 0 && `Not allowed in a name: ${strange.join(" ")}`);
  if (kind === "github") {
    for (const part of ["owner", "repository"] as const)
      add(
        `github.${part}`,
        /[^A-Za-z0-9._-]/.test(github[part].trim()) && `Only the ${part}'s name, as in its address`,
      );
    for (const part of ["ownerId", "repositoryId"] as const)
      add(`github.${part}`, !github.withoutIds && !/^\d+$/.test(github[part].trim()) && "Digits only");
    const { trust, refs } = github;
    if (trust === "branch" || trust === "tag") add(`github.refs.${trust}`, refProblem(refs[trust].trim()));
  }
  if (kind === "claims")
    for (const map of ["claims", "claimPatterns"] as const)
      add(`claimMatch.${map}`, Object.values(claimMatch[map]).includes("") && "Give each claim a value");
  if (kind === "keys") {
    if (staticKeys.issuerKeys.trim() !== "") add("staticKeys.issuerKeys", keysProblem(staticKeys.issuerKeys));
    const expires = Date.parse(wireTime(staticKeys.expires) ?? "");
    add("staticKeys.expires", staticKeys.expires !== "" && Number.isNaN(expires) && "A date and a time");
    add("staticKeys.expires", expires <= now && "In the future");
    add("staticKeys.expires", expires > latest.getTime() && `At most ${LIFE_DAYS} days after creation`);
  }
  return found;
}

export interface Judged {
  /** The identity as it was opened; undefined when it is created. */
  readonly before: IdentityInput | undefined;
  readonly createTime: string | undefined;
}

/**
 * What is wrong with the form, by its own field names; the first problem of each field. Of a stored identity only what
 * was changed is judged: a value that this console would not accept must not stand in the way of another one.
 */
export function problemsOf(values: IdentityValues, { before, createTime }: Judged, now: number): Problem[] {
  const body = toBody(values);
  const missing = needed(values).flatMap(([field, value, description]) =>
    value.trim() === "" ? [{ field, description }] : [],
  );
  const place = before || values.parent !== "" ? [] : [{ field: "parent", description: "Choose a group" }];
  const contract = identities.request.safeParse(body).error?.issues ?? [];
  const changed = before && changesBetween(before, body).mask;
  const judged = contract
    .map(({ path, message }) => ({ path: path.join("."), message }))
    .filter(({ path }) => changed?.some((each) => path === each || path.startsWith(`${each}.`)) ?? true)
    .map(({ path, message }) => ({ field: formField(values.kind, path), description: message }));
  const own = [
    ...(values.name.trim() === "" ? [{ field: "name", description: "Enter a name" }] : []),
    ...place,
    ...(changed?.length === 0 ? [] : [...missing, ...particular(values, latestExpiry(createTime, now), now)]),
  ];
  const first = new Map<string, Problem>();
  for (const problem of [...own, ...judged]) if (!first.has(problem.field)) first.set(problem.field, problem);
  return [...first.values()];
}

/** The form's schema: judges the values, gives the body. */
export const identitySchema = (judged: Judged) =>
  z.pipe(
    z.custom<IdentityValues>().check(({ value, issues }) => {
      for (const { field, description } of problemsOf(value, judged, Date.now()))
        issues.push({ code: "custom", message: description, path: field.split("."), input: value });
    }),
    z.transform(toBody),
  );
