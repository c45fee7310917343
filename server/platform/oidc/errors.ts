import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";

/** Maximum characters of an address to repeat on a page: any site can choose it. */
const LONGEST_ADDRESS = 300;

/** Text of the error page for a client's failed request. `detail` is for that client's developer or operator. */
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
  // A common mistake with a console on a separate host, for which we know the fix.
  if (error === "invalid_redirect_uri" && typeof address === "string")
    return {
      title: "Unknown console",
      message: "An operator can add its address to CONSOLE_URLS.",
      detail: { Address: address.slice(0, LONGEST_ADDRESS), ...detail },
    };
  return {
    title: `This sign-${ctx.path.startsWith("/session/") ? "out" : "in"} can't continue`,
    message: "The request isn't valid. Start again from the console.",
    detail,
  };
}
