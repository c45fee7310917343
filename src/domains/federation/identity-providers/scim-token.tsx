import { Button, NativeSelect } from "@mantine/core";
import "@mantine/core/styles/Input.css";
import { useState, type ReactNode } from "react";

import type { IdentityProvider } from "platform-contract/iam/identity-providers";
import { generateScimToken, regenerateScimToken } from "platform-contract/iam/scim";
import "~/ui/controls/button-styles";
import { Time } from "~/ui/display/time";
import { errorFacts } from "~/ui/feedback/error-facts";
import { Notice } from "~/ui/feedback/notice";
import { Sheet } from "~/ui/overlay/sheet";
import { Secret, ShownOnce } from "~/ui/overlay/shown-once";

import classes from "./styles.module.css";
import { useScimWrite } from "./use-scim-write";

const DAY = 86_400_000;

const LIFETIMES = [
  { value: "365", label: "In a year" },
  { value: "90", label: "In 90 days" },
  { value: "730", label: "In two years" },
  { value: "never", label: "Never" },
];

const OVERLAPS = [
  { value: "3600s", label: "For an hour" },
  { value: "86400s", label: "For a day" },
  { value: "0s", label: "No longer" },
];

const lifetime = (days: string): { expireTime?: string; neverExpires?: boolean } =>
  days === "never"
    ? { neverExpires: true }
    : days === "365"
      ? {}
      : { expireTime: new Date(Date.now() + Number(days) * DAY - 60_000).toISOString() };

interface IssueProps {
  readonly record: IdentityProvider;
  /** True if there is no token to replace. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

interface Issued {
  /** Missing if the answer was repeated. */
  readonly token?: string | undefined;
  readonly endpointUrl?: string | undefined;
  readonly previousTokenExpireTime?: string | undefined;
}

/** Creates a token, or replaces it, and shows it once. Keeps the choices if it fails. */
export function IssueToken({ record, isFirst, onClose }: IssueProps): ReactNode {
  const [days, setDays] = useState("365");
  const [overlap, setOverlap] = useState("3600s");
  const [issued, setIssued] = useState<Issued>();
  // The record is read again as soon as there is a token: this dialog stays what it was.
  const [opened] = useState(isFirst);
  const generate = useScimWrite(generateScimToken, record, setIssued);
  const regenerate = useScimWrite(regenerateScimToken, record, setIssued);
  // Without an answer a token may have been made that nobody has seen: the record tells, and replacing it ends it.
  const lost = [generate.error, regenerate.error].some((one) => errorFacts(one).outcome === "unknown");
  const first = lost ? isFirst : opened;
  const isPending = generate.isPending || regenerate.isPending;
  const error = (opened && !regenerate.error ? generate : regenerate).error;
  const send = () =>
    first
      ? generate.mutate(lifetime(days))
      : regenerate.mutate({
          ...lifetime(days),
          overlap: lost ? "0s" : overlap,
          etag: record.scim?.etag ?? "",
        });
  if (issued) return <Created issued={issued} onClose={onClose} />;
  return (
    <Sheet
      title={first ? "Create a token" : "Replace the token"}
      onClose={onClose}
      at="centre"
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isPending} onClick={send}>
            {first ? "Create token" : "Replace token"}
          </Button>
        </>
      }
    >
      <NativeSelect
        data-autofocus
        label="Expires"
        description="The directory can't push after that."
        data={LIFETIMES}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
      {first || lost ? null : (
        <NativeSelect
          label="Previous token works"
          description="Time to enter the new one in the directory."
          data={OVERLAPS}
          value={overlap}
          onChange={(event) => setOverlap(event.currentTarget.value)}
        />
      )}
      {error ? (
        <Notice tone="danger" role="alert" title={first ? "No token was shown" : "The token wasn't replaced"}>
          {lost
            ? "The answer was lost. If a token was made, nobody has seen it. Once you replace it, all earlier tokens end at once."
            : errorFacts(error).message}
        </Notice>
      ) : null}
    </Sheet>
  );
}

interface CreatedProps {
  readonly issued: Issued;
  readonly onClose: () => void;
}

function Created({ issued, onClose }: CreatedProps): ReactNode {
  const { token, endpointUrl = "", previousTokenExpireTime } = issued;
  return (
    <ShownOnce
      title="Token created"
      copied={token === undefined ? undefined : "I've copied the token"}
      onClose={onClose}
    >
      {token === undefined ? (
        <Notice tone="warning" title="The token was lost">
          It was created, but the response with it didn't arrive. Replace it to get a new one.
        </Notice>
      ) : (
        <>
          <p>Enter both in the directory. The token is shown once: only its hash is stored.</p>
          <Secret label="Token" value={token} what="token" />
        </>
      )}
      <Secret label="Base URL" value={endpointUrl} what="base URL" />
      {previousTokenExpireTime === undefined ? null : (
        <p className={classes["quiet"]}>
          The previous token expires <Time value={previousTokenExpireTime} />.
        </p>
      )}
    </ShownOnce>
  );
}
