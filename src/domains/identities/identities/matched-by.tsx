import type { ReactNode } from "react";

import type { Identity } from "platform-contract/iam/identities";
import { Code } from "~/ui/display/code";
import { DefinitionList, type Definition } from "~/ui/display/definition-list";
import { Section } from "~/ui/display/section";

import { matchFacts, type Fact } from "./match-facts";
import { unknownMembers } from "./unknown-members";

const definitionOf = ({ term, text, code }: Fact): Definition => ({
  term,
  value: code ? <Code value={text} what={term.toLowerCase()} /> : <bdi>{text}</bdi>,
  wide: true,
});

/** Shows what a token must contain to match this identity. */
export function MatchedBy({ identity }: { readonly identity: Identity }): ReactNode {
  const unknown = unknownMembers(identity).map(({ path, text }) => ({ term: path, text, code: true }));
  const facts = [...matchFacts(identity), ...unknown];
  return (
    <Section title="Sign-in rule">
      <DefinitionList items={facts.map(definitionOf)} />
    </Section>
  );
}
