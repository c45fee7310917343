import { Button } from "@mantine/core";
import type { ReactNode } from "react";

import type { GroupInvite } from "platform-contract/iam/group-invites";
import "~/ui/controls/button-styles";
import { Code } from "~/ui/display/code";
import { copyText } from "~/ui/display/copy-text";
import { BYTE_ORDER_MARK, csvLine } from "~/ui/display/csv";
import { formatQuantity } from "~/ui/display/numbers";
import { saveAs } from "~/ui/display/save-as";
import { Time } from "~/ui/display/time";
import { Notice } from "~/ui/feedback/notice";
import { ShownOnce } from "~/ui/overlay/shown-once";

import { linkOf } from "./data";
import classes from "./links.module.css";

/** An address for which no invite was made, and why. */
export interface FailedInvite {
  readonly email: string;
  readonly message: string;
}

interface InviteLinksProps {
  /** The responses to their creation. */
  readonly invites: readonly GroupInvite[];
  readonly failed: readonly FailedInvite[];
  /** Back to the form, with the addresses that failed. */
  readonly onAgain: () => void;
  readonly onClose: () => void;
}

const linkIn = ({ code }: GroupInvite): string | undefined => (code === undefined ? undefined : linkOf(code));

/** Shows the links of several new invites. They can't be shown again. */
export function InviteLinks({ invites, failed, onAgain, onClose }: InviteLinksProps): ReactNode {
  const [first] = invites;
  const save = () =>
    saveAs(
      "invites.csv",
      BYTE_ORDER_MARK + [["email", "link", "expires"], ...invites.map(rowOf)].map(csvLine).join(""),
      "text/csv;charset=utf-8",
    );
  return (
    <ShownOnce
      title={`${formatQuantity(invites.length, "invite")} created`}
      copied={invites.length > 0 ? "I've copied or saved them" : undefined}
      onClose={onClose}
    >
      {failed.length > 0 ? (
        <Notice
          tone="danger"
          role="alert"
          title={`${formatQuantity(failed.length, "invite")} couldn't be created`}
          actions={
            <Button variant="default" onClick={onAgain}>
              Back to the form
            </Button>
          }
        >
          <ul>
            {failed.map(({ email, message }) => (
              <li key={email}>
                <bdi>{email}</bdi>: {message}
              </li>
            ))}
          </ul>
        </Notice>
      ) : null}
      {first ? (
        <>
          <p>
            Send each person their own link. The links are shown once and work until they expire (
            <Time value={first.expirationTime} />
            ).
          </p>
          <table className={classes["links"]} aria-label="Invite links">
            <thead>
              <tr>
                <th scope="col">Email</th>
                <th scope="col">Link</th>
              </tr>
            </thead>
            <tbody>
              {invites.map((invite) => (
                <tr key={invite.uid}>
                  <th scope="row">
                    <bdi>{invite.email}</bdi>
                    {invite.emailState === "EMAIL_STATE_QUEUED" ? (
                      <span className={classes["quiet"]}> mail queued</span>
                    ) : null}
                  </th>
                  <td>
                    {invite.code === undefined ? (
                      "The link was lost: re-issue the invite"
                    ) : (
                      <Code value={linkOf(invite.code)} what={`link for ${invite.email}`} />
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className={classes["deeds"]}>
            <Button variant="default" onClick={() => void copyText(linesOf(invites), "links")}>
              Copy all
            </Button>
            <Button variant="default" onClick={save}>
              Download as CSV
            </Button>
          </div>
        </>
      ) : null}
    </ShownOnce>
  );
}

/** A line each: the address and its link. */
const linesOf = (invites: readonly GroupInvite[]): string =>
  invites
    .flatMap((invite) => {
      const link = linkIn(invite);
      return link === undefined ? [] : [`${invite.email ?? ""} ${link}`];
    })
    .join("\n");

const rowOf = (invite: GroupInvite): string[] => [
  invite.email ?? "",
  linkIn(invite) ?? "",
  invite.expirationTime ?? "",
];
