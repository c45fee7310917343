/** The mail server of SMTP_URL. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** From the first byte, after STARTTLS, or never. */
  readonly tls: "always" | "starttls" | "never";
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** What mail is sent with, if it is. */
export interface MailSettings {
  readonly server: SmtpServer;
  readonly from: { readonly name: string; readonly address: string };
}

export const SMTP_RULE =
  "must be smtp://user:password@host:port or smtps://..., percent-encoded, without a path; ?starttls=off sends unencrypted";

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
/** Submission (RFC 6409, RFC 8314). */
const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

/** Reads SMTP_URL; undefined if it is none. */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text);
  if (!url || url.hostname === "" || url.hash !== "" || !["", "/"].includes(url.pathname)) return undefined;
  const { protocol, hostname, search } = url;
  if (protocol !== "smtp:" && protocol !== "smtps:") return undefined;
  const plain = search === "?starttls=off";
  if (search !== "" && !(plain && protocol === "smtp:")) return undefined;
  if ((url.username === "") !== (url.password === "")) return undefined;
  try {
    const loopback = LOOPBACK.test(hostname);
    return {
      host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1"),
      port: url.port === "" ? PORTS[protocol] : Number(url.port),
      tls: protocol === "smtps:" ? "always" : plain || loopback ? "never" : "starttls",
      user: decodeURIComponent(url.username) || undefined,
      password: decodeURIComponent(url.password) || undefined,
    };
  } catch {
    return undefined;
  }
}

/** True if a password would leave this machine unencrypted. */
export const exposesPassword = ({ host, tls, user }: SmtpServer): boolean =>
  tls === "never" && user !== undefined && !LOOPBACK.test(host.includes(":") ? `[${host}]` : host);

/** Reads `name@example.com` or `Name <name@example.com>`; undefined if it is neither. */
export function readSender(text: string): MailSettings["from"] | undefined {
  const [, quoted = "", inside] = /^([^<>]*)<([^<>]+)>$/.exec(text.trim()) ?? [];
  const name = quoted.trim().replace(/^"(.*)"$/, "$1");
  const address = (inside ?? text).trim();
  return /[\p{Cc}"\\]/u.test(name) ? undefined : { name, address };
}
