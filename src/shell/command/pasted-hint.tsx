import type { ReactNode } from "react";

import { AppLink } from "~/ui/layout/link";

import { readPasted } from "./pasted";

/** As in the subject of a token: "repo:acme/app:ref:refs/heads/main". */
const SUBJECT = /\S[:/|]\S/;

const TEST_TOKEN = { to: "/identities", search: { drawer: "test-token" } };

/** What a text is that no person or machine is called, and what to do with it. */
export function PastedHint({ text }: { readonly text: string }): ReactNode {
  const pasted = readPasted(text, document.baseURI);
  const isToken = pasted.is === "token";
  const says = isToken
    ? "This is a token: it isn't sent anywhere."
    : pasted.is === "error"
      ? pasted.error.meaning
      : undefined;
  const test =
    isToken || (pasted.is === "error" ? pasted.error.helps.includes("Test a token") : SUBJECT.test(text));
  if (says === undefined && !test) return null;
  return (
    <p>
      {says}{" "}
      {test ? (
        <AppLink target={TEST_TOKEN}>
          {isToken
            ? "Test it to see which identity it signs in as"
            : "Test a token to see which identity it signs in as"}
        </AppLink>
      ) : null}
    </p>
  );
}
