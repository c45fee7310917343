import type { ReactNode } from "react";

import { parentOf } from "platform-contract/aip";
import { bindingPage } from "~/domains/access/grants/links";
import { CopyButton } from "~/ui/display/copy-button";
import { FactTable } from "~/ui/display/fact-table";
import { Section } from "~/ui/display/section";
import { AppLink } from "~/ui/layout/link";
import { Disclosure } from "~/ui/form/disclosure";

import { ABOVE_HIDDEN, type Review } from "./format";
import { inheritedWords } from "./report";
import classes from "./styles.module.css";

/** The role bindings from further up, which count in the scope and are decided where they were granted. */
export function Inherited({ review }: { readonly review: Review }): ReactNode {
  const { inherited = [], scope } = review;
  const sentence = inheritedWords(review);
  if (sentence === undefined) return null;
  const folders = new Map(inherited.map(({ uid, folder }) => [parentOf(uid), folder]));
  const note = (uid: string, folder: string) =>
    [
      `These roles in ${folder} also apply in ${scope.name}, which is under access review. Are they still needed?`,
      ...inherited
        .filter((one) => parentOf(one.uid) === uid)
        .map(({ identity, role }) => `- ${identity.name}: ${role.name}`),
    ].join("\n");
  return (
    <Section
      title="Inherited from above"
      count={review.gaps.includes(ABOVE_HIDDEN) ? undefined : inherited.length}
      description={sentence}
    >
      <ul className={classes["changes"]}>
        {[...folders].map(([uid, folder]) => (
          <li key={uid}>
            <bdi>{folder}</bdi>: a note for its owners{" "}
            <CopyButton value={note(uid, folder)} what={`note for the owners of ${folder}`} />
          </li>
        ))}
      </ul>
      <Disclosure title="Who has them">
        <FactTable
          caption="Inherited role bindings"
          stacks
          head={["Identity", "Role", "Granted in"]}
          rows={inherited.map(({ uid, identity, role, folder }) => [
            <AppLink key="who" target={bindingPage(uid)}>
              <bdi>{identity.name}</bdi>
            </AppLink>,
            <bdi key="role">{role.name}</bdi>,
            <bdi key="folder">{folder}</bdi>,
          ])}
        />
      </Disclosure>
    </Section>
  );
}
