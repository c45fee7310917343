import type { CookiesSetOptions, KoaContextWithOIDC } from "oidc-provider";

import type { Queries } from "../store/database";
import { revokeGrants } from "./sessions";

/**
 * Signs out immediately if a valid id_token_hint of the signed-in user proves that a client of this session sent the
 * request. Returns false if the user must confirm, since any site can send a browser here (OpenID Connect RP-Initiated
 * Logout 1.0, section 6).
 */
export async function signOut(
  ctx: KoaContextWithOIDC,
  queries: Queries,
  cookie: CookiesSetOptions,
): Promise<boolean> {
  const { session, params = {}, entities, provider } = ctx.oidc;
  if (!session || entities.IdTokenHint?.payload["sub"] !== session.accountId) return false;
  await revokeGrants(
    queries,
    Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []),
  );
  await session.destroy();
  provider.emit("end_session.success", ctx);
  ctx.cookies.set(provider.cookieName("session"), null, cookie);

  const { post_logout_redirect_uri: after, state } = params;
  const target = new URL(typeof after === "string" ? after : ctx.oidc.urlFor("end_session_success"));
  if (typeof after === "string" && typeof state === "string") target.searchParams.set("state", state);
  ctx.status = 303;
  ctx.redirect(target.href);
  return true;
}
