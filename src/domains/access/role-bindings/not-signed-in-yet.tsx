import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState, type KeyboardEvent, type ReactNode } from "react";

import { call } from "~/api/client/client";
import { lookupIdentity } from "platform-contract/iam/lookup-identity";
import { usePerson } from "~/auth/use-session";
import { DisabledReason } from "~/ui/overlay/disabled-reason";
import { Disclosure } from "~/ui/form/disclosure";
import { fieldParts } from "~/ui/form/field-parts";

/** Finds a person by the issuer and subject of their tokens, so that they can get a role before they first sign in. */
export function NotSignedInYet({ onFound }: { readonly onFound: (uid: string) => void }): ReactNode {
  const [issuer, setIssuer] = useState(usePerson().issuer);
  const [subject, setSubject] = useState("");
  const lookup = useMutation({
    mutationFn: () => call(lookupIdentity, { query: { issuer: issuer.trim(), subject: subject.trim() } }),
    onSuccess: ({ uid }) => {
      setSubject("");
      onFound(uid);
    },
  });
  const reason = issuer.trim() === "" || subject.trim() === "" ? "Enter issuer and subject" : undefined;
  const add = () => {
    if (reason === undefined && !lookup.isPending) lookup.mutate();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    add();
  };
  const shared = { autoComplete: "off", spellCheck: false, classNames: fieldParts, onKeyDown };
  return (
    <Disclosure title="Add by issuer and subject">
      <TextInput
        {...shared}
        label="Issuer"
        value={issuer}
        onChange={(event) => setIssuer(event.currentTarget.value)}
      />
      <TextInput
        {...shared}
        label="Subject"
        description="As shown on their “No access yet” page, or in the sub claim of their tokens."
        value={subject}
        error={lookup.error?.message}
        onChange={(event) => setSubject(event.currentTarget.value)}
      />
      <div>
        <DisabledReason reason={reason}>
          <Button variant="default" onClick={add}>
            Add person
          </Button>
        </DisabledReason>
      </div>
    </Disclosure>
  );
}
