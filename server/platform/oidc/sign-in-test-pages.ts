import { html } from "hono/html";
import { AuthorizationResponseError, ResponseBodyError } from "openid-client";

import { errorCode, reasonOf } from "../../reason";
import type { Provider } from "../../domains/federation/identity-providers.table";
import { alert, page, type Markup } from "./layout";
import { Refusal } from "./requests";
import type { Site } from "./site";
import type { Account, UpstreamPerson } from "./upstream-accounts";
import { isUnproved, returnFailure } from "./upstream-client";

const NOTHING = "Nobody was signed in, and nothing was saved.";
const BACK = "Close this tab to go back to the form.";
/** Characters of what a provider sent that a page repeats. */
const MOST = 300;
/** Groups that the page names. */
const MOST_GROUPS = 50;

const listed = (groups: readonly string[]): string => {
  const more = groups.length - MOST_GROUPS;
  return groups.slice(0, MOST_GROUPS).join(", ") + (more > 0 ? `, and ${more} more` : "");
};

const cut = (text: string): string => (text.length > MOST ? `${text.slice(0, MOST)}\u2026` : text);

/** Names and values. */
const details = (rows: readonly (readonly [name: string, value: string])[]): Markup =>
  html`<dl class="detail">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${cut(value)}</dd>
        </div>`,
    )}
  </dl>`;

const paragraphs = (sentences: readonly string[]): Markup =>
  html`${sentences.map((sentence) => html`<p>${sentence}</p>`)}`;

function accountSentence(account: Account | undefined): string {
  if (account === undefined) return "This person would get a new account, with the default role.";
  if (account.deactivated)
    return "This person has an account here that the directory has deactivated: the sign-in would be refused.";
  return account.signedIn
    ? "This person would be signed in to the account that they already have."
    : "This person would be signed in to the account that the directory made, with the default role.";
}

/** What would become of the groups of a sign-in; `mapped` is undefined if it can't be told. */
function groupSentences(
  { oidc: { groupsClaim } }: Provider,
  { groups }: UpstreamPerson,
  account: Account | undefined,
  mapped: readonly string[] | undefined,
): string[] {
  if (account && account.externalId !== null)
    return ["Roles from groups would follow the directory, which has pushed this person."];
  if (!groupsClaim) return [];
  if (groups.length === 0)
    return [
      `No group came in the claim "${groupsClaim}": group mappings would give no role. At the provider, add this claim to the ID token or to userinfo.`,
    ];
  if (mapped === undefined)
    return ["Which groups have a mapping is not shown: you can't list mappings here."];
  if (mapped.length === 0) return ["None of these groups has a mapping yet."];
  return [`Group mappings would give roles for: ${listed(mapped)}.`];
}

/** What a test has shown, if a sign-in with these settings works. */
export function passedTestPage(
  site: Site,
  {
    provider,
    person,
    account,
    mapped,
  }: {
    readonly provider: Provider;
    readonly person: UpstreamPerson;
    readonly account: Account | undefined;
    readonly mapped: readonly string[] | undefined;
  },
): Promise<string> {
  const { subject, email, emailVerified, name, groups } = person;
  const { groupsClaim } = provider.oidc;
  return page(site, {
    title: account?.deactivated ? "The sign-in would be refused" : "The test sign-in works",
    body: html`<p class="lead" role="status">${NOTHING}</p>
      ${details([
        ["Account ID (sub)", subject],
        ["Email", email ? `${email} (${emailVerified ? "verified" : "not verified"})` : "none"],
        ["Name", name || "none"],
        ...(groupsClaim ? [[`Groups (${groupsClaim})`, listed(groups) || "none"] as const] : []),
      ])}
      ${paragraphs([
        accountSentence(account),
        ...groupSentences(provider, person, account, mapped),
        ...(email
          ? []
          : [
              'No email came. Add the scope "email", or the claim at the provider, so that people can be found by it.',
            ]),
      ])}
      <p class="hint">${BACK}</p>`,
  });
}

interface Explained {
  readonly message: string;
  /** What the provider or the library said, for looking it up. */
  readonly said?: string;
}

/** What is different in a token: claim, and the values that were sent and expected. */
function comparedClaim(error: unknown): string | undefined {
  const { claim, attribute }: { claim?: unknown; attribute?: unknown } = Object(Object(error).cause);
  return [claim, attribute].find((one) => typeof one === "string");
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: "it names another issuer (iss) than the one that is entered",
  aud: "it is for another client (aud) than the client ID that is entered",
  nonce: "its nonce is not the one that was sent with the request",
  azp: "it was issued to another client (azp)",
};

/** Says which part failed to whoever can mend it. */
function explain(provider: Provider, error: unknown): Explained {
  if (error instanceof AuthorizationResponseError) {
    const said = [error.error, error.error_description].filter(Boolean).join(": ");
    if (error.error === "access_denied")
      return { message: "The provider denied the sign-in, or you canceled it there.", said };
    if (error.error === "invalid_scope")
      return { message: "The provider doesn't allow this client one of the scopes.", said };
    return { message: "The provider refused the request before anybody signed in.", said };
  }
  if (isUnproved(error)) {
    const { error: code, error_description: description }: Record<string, unknown> = Object(error);
    const said = [code, description].filter((one) => typeof one === "string").join(": ");
    return {
      message:
        "The provider doesn't accept this client ID and client secret. The secret may be wrong, expired, or that of another client.",
      said: said || "invalid_client",
    };
  }
  if (error instanceof ResponseBodyError)
    return {
      message:
        error.error === "invalid_grant"
          ? "The provider didn't exchange the code for tokens. Usually the redirect URI there is not the one of the form, or the client may not use the authorization code flow."
          : "The provider's token endpoint refused the request.",
      said: [error.error, error.error_description].filter(Boolean).join(": "),
    };
  const said = reasonOf(error);
  switch (errorCode(error)) {
    case "OAUTH_JWT_TIMESTAMP_CHECK_FAILED":
      return {
        message:
          "The ID token is not valid at this time: the clock of the provider or of this service is wrong.",
        said,
      };
    case "OAUTH_JWT_CLAIM_COMPARISON_FAILED":
    case "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED": {
      const what = CLAIMS[comparedClaim(error) ?? ""];
      return { message: `The ID token is not for this sign-in${what ? `: ${what}` : ""}.`, said };
    }
    case "OAUTH_KEY_SELECTION_FAILED":
      return { message: "None of the issuer's published keys fits the signature of the ID token.", said };
    default:
  }
  const { message, cause } = error instanceof Refusal ? error : returnFailure(provider, error);
  return {
    // Whoever tests is one.
    message: message.replace(/ Ask an administrator[^.]*\./, ""),
    ...(cause !== undefined && { said: reasonOf(cause) }),
  };
}

/** What a test has shown, if a sign-in with these settings fails. */
export function failedTestPage(site: Site, provider: Provider, error: unknown): Promise<string> {
  const { message, said } = explain(provider, error);
  return page(site, {
    title: "The test sign-in failed",
    failed: true,
    body: html`<p class="lead">${NOTHING}</p>
      ${alert(message)} ${said ? details([["Details", said]]) : ""}
      <p class="hint">${BACK}</p>`,
  });
}
