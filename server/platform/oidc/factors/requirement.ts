import type { interactionPolicy, KoaContextWithOIDC } from "oidc-provider";

import type { Config } from "../../../config";
import type { Queries } from "../../store/database";
import { PASSED } from "./amr";
import { secondOf } from "./factors.table";

type Given = { readonly amr?: readonly string[] | undefined };

const hasPassed = ({ amr }: Given): boolean => amr?.includes(PASSED) === true;

/** True for a session that was opened with the password alone, once the account has a second factor, or needs one. */
export const lacksFactor = async (
  queries: Queries,
  { secondFactor }: Config,
  session: Given & { readonly accountId?: string | undefined },
): Promise<boolean> =>
  session.accountId !== undefined &&
  !hasPassed(session) &&
  (await secondOf(queries, session.accountId, secondFactor === "required")) !== "none";

/**
 * The provider's rules of when somebody has to sign in, and one more: a session that was opened with the password alone
 * does not last once there is a second factor, or one is required.
 */
export function withSecondFactors(
  { base, Check }: typeof interactionPolicy,
  queries: Queries,
  config: Config,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  const check = async ({ oidc: { session } }: KoaContextWithOIDC): Promise<boolean> =>
    session !== undefined && lacksFactor(queries, config, session);
  policy
    .get("login")
    ?.checks.add(new Check("second_factor", "a second factor is required", "login_required", check));
  return policy;
}

/**
 * True if a code or refresh token was given for the password alone although a second factor is required: since then, or
 * to a person who had no account yet. A factor that was added later is no reason, since its owner chose what to end.
 */
export async function isTooLittle(
  queries: Queries,
  { secondFactor }: Config,
  subject: string,
  token: Given,
): Promise<boolean> {
  if (secondFactor !== "required" || hasPassed(token)) return false;
  return (await secondOf(queries, subject, true)) !== "none";
}
