import { channel } from "node:diagnostics_channel";

/** How an attempt to send a mail ended; says nothing of whose it was. */
export interface MailTold {
  readonly kind: string;
  /** `delayed` is tried again; `failed` is not: the server refused it, or it was of no use any more. */
  readonly result: "sent" | "delayed" | "failed";
}

/** The channel on which this process tells of its mails (node:diagnostics_channel). */
export const MAILS = "platform.mails";

const told = channel(MAILS);

export const tellMail = (mail: MailTold): void => told.publish(mail);
