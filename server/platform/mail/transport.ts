import type { MailSettings } from "../../smtp";
import { htmlOf, textOf, type Letter } from "./letter";

/** Milliseconds: of each step, and of a whole mail, however slow the server is. */
const STEP = 20_000;
const WHOLE = 60_000;

/** One address and nothing else. */
const ONE_ADDRESS = /^[^\s<>()[\]\\,;:"@]+@[^\s<>()[\]\\,;:"@]+$/;

export interface Transport {
  /** Resolves when the server has taken the mail; else throws. */
  send(to: string, letter: Letter, id: string): Promise<void>;
  /** Connects and signs in, without sending anything; throws if that fails. */
  check(): Promise<void>;
}

/** What an error of nodemailer has, and other errors lack. */
interface MailError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly permanent?: unknown;
}

/** Whether the server refused this mail, for good; anything else can pass. */
export function isRefused(error: unknown): boolean {
  const { code, command, permanent }: MailError = Object(error);
  // A refused sender is the fault of MAIL_FROM, not of the mail.
  return permanent === true && (code === "EMESSAGE" || (code === "EENVELOPE" && command !== "MAIL FROM"));
}

/** Whether the server itself could not be used, so that other mails would fare the same. */
export const isUnusable = (error: unknown): boolean => {
  const { code, command }: MailError = Object(error);
  return code !== "EMESSAGE" && (code !== "EENVELOPE" || command === "MAIL FROM");
};

/** What went wrong, for the log: answers of the server can contain addresses. */
export const factsOf = (error: unknown) => {
  const {
    code,
    originalCode,
    responseCode: status,
    command,
  }: Readonly<Record<string, unknown>> = Object(error);
  return {
    ...(typeof code === "string" && { code }),
    ...(typeof originalCode === "string" && { reason: originalCode }),
    ...(typeof status === "number" && { status }),
    ...(typeof command === "string" && { command: command.split(" ", 2).join(" ") }),
  };
};

/** Loads the mail library: call only if mail is on. `host` is how the service calls itself. */
export async function createTransport(
  { server, from }: MailSettings,
  host: string,
  whole = WHOLE,
): Promise<Transport> {
  const { createTransport: open } = await import("nodemailer");
  const { user, password } = server;
  const transport = open({
    host: server.host,
    port: server.port,
    name: host,
    secure: server.tls === "always",
    requireTLS: server.tls === "starttls",
    ignoreTLS: server.tls === "never",
    ...(user !== undefined && { auth: { user, pass: password ?? "" } }),
    connectionTimeout: STEP,
    greetingTimeout: STEP,
    socketTimeout: STEP,
    dnsTimeout: STEP,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const [, domain = ""] = from.address.split("@");
  return {
    async send(to, letter, id) {
      // The library reads lists and names in it.
      if (!ONE_ADDRESS.test(to))
        throw Object.assign(new Error("not one address"), { code: "EENVELOPE", permanent: true });
      await transport.sendMail({
        from,
        to: { name: "", address: to },
        envelope: { from: from.address, to: [to] },
        subject: letter.subject,
        text: textOf(letter),
        html: await htmlOf(letter),
        // The same at each attempt, by which programs know a mail that came twice.
        messageId: `<${id}@${domain}>`,
        // No answers from people on vacation (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated" },
        signal: AbortSignal.timeout(whole),
      });
    },
    check: async () => void (await transport.verify()),
  };
}
