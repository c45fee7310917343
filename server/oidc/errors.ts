import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";

/** Characters of an address that a page repeats: whoever sent the browser here chose it. */
const LONGEST_ADDRESS = 300;

/** What the page about a failed request of a client says. `detail` is for the developer or operator of that client. */
export function explain(
  ctx: KoaContextWithOIDC,
  { error, error_description: description }: ErrorOut,
): { title: string; message: string; detail: Record<string, string> } {
  if (ctx.status >= 500)
    return {
      title: "Something went wrong",
      message: "The sign-in service has a problem. Try again in a moment.",
      detail: { Error: error },
    };
  const detail = { Error: error, ...(description && { Reason: description }) };
  const address = ctx.oidc.params?.["redirect_uri"];
  // The usual mistake of a console on a host of its own; here it can be said what to do about it.
  if (error === "invalid_redirect_uri" && typeof address === "string")
    return {
      title: "Unknown console",
      message: "An operator can add its address to CONSOLE_URLS.",
      detail: { Address: address.slice(0, LONGEST_ADDRESS), ...detail },
    };
  return {
    title: `This sign-${ctx.path.startsWith("/session/") ? "out" : "in"} cannot continue`,
    message: "The request is not valid. Start again from the console.",
    detail,
  };
}
