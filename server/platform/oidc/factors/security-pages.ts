import { html } from "hono/html";

import { alert, field, page, type Markup } from "../layout";
import type { Site } from "../site";
import { codeField, kinds, nameField, or, passkeyForm, withoutPasskeys, type Options } from "./pages";
import type { Factor } from "./factors.table";

const KINDS = { app: "Authenticator app", passkey: "Passkey" } as const;

const DAY = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const day = (date: Date): Markup => html`<time datetime="${date.toISOString()}">${DAY.format(date)}</time>`;

const facts = ({ kind, created, used, usable }: Factor): Markup =>
  usable
    ? html`${KINDS[kind]}, added ${day(created)}, ${used ? html`last used ${day(used)}` : "not used yet"}`
    : html`${KINDS[kind]}, added ${day(created)}. It belongs to an earlier address of this service and doesn't
      work any more.`;

export function securityPage(
  site: Site,
  {
    email,
    factors,
    left,
    required,
  }: { email: string; factors: readonly Factor[]; left: number; required: boolean },
): Promise<string> {
  const at = `${site.mount}/account/security`;
  return page(site, {
    title: "Second factors",
    body: html`<p class="lead">Signed in as ${email}</p>
      <p>
        ${
          factors.length === 0
            ? html`You sign in with your password alone. A second factor protects your account if somebody
              learns it.`
            : html`You sign in with your password and one of
              these${
                factors.some(({ kind, usable }) => kind === "passkey" && usable)
                  ? ", or with a passkey alone"
                  : ""
              }.`
        }
        ${required ? "A second factor is required here." : ""}
      </p>
      ${
        factors.length > 0
          ? html`<ul class="factors">
              ${factors.map(
                (factor) =>
                  html`<li>
                    <p><strong>${factor.name}</strong><span class="hint">${facts(factor)}</span></p>
                    <a href="${at}/factor/${factor.uid}">Change<span class="unseen"> ${factor.name}</span></a>
                  </li>`,
              )}
              <li>
                <p>
                  <strong>Recovery codes</strong
                  ><span class="hint">${left === 0 ? "None left" : `${left} of 10 left`}</span>
                </p>
                <a href="${at}/recovery-codes">Make new ones</a>
              </li>
            </ul>`
          : ""
      }
      ${kinds(site, at)}`,
    aside: html`<p class="aside">
      <a href="${site.mount}/account/password">Change your password</a> or
      <a href="${site.console}">go back to the console</a>
    </p>`,
  });
}

export interface ConfirmFailed {
  readonly alert?: string;
  readonly password?: string;
  readonly code?: string;
}

/** Before a change: the password, or a factor that is there. */
export function confirmPage(
  site: Site,
  {
    email,
    action,
    app,
    passkey,
    failed,
  }: {
    email: string;
    action: string;
    app: boolean;
    passkey: Options | undefined;
    failed: ConfirmFailed;
  },
): Promise<string> {
  return page(site, {
    title: "Confirm it's you",
    failed: Object.keys(failed).length > 0,
    passkeys: true,
    body: html`<p class="lead">Before you change your second factors. Signed in as ${email}.</p>
      ${alert(failed.alert)}
      <form method="post" action="${action}" novalidate>
        <input name="email" type="text" autocomplete="username" value="${email}" readonly hidden />
        ${field({
          name: "password",
          label: "Password",
          type: "password",
          autocomplete: "current-password",
          error: failed.password,
          focused: failed.code === undefined,
        })}
        <button type="submit">Continue</button>
      </form>
      ${app || passkey ? or() : ""}
      ${
        passkey
          ? html`<div>
              ${passkeyForm(action, passkey, { label: "Use your passkey", quiet: true })}
              ${withoutPasskeys("This browser can't use your passkey.")}
            </div>`
          : ""
      }
      ${
        app
          ? html`<form method="post" action="${action}" novalidate>
              ${codeField(failed.code, failed.code !== undefined)}
              <button type="submit" class="quiet">Continue with the code</button>
            </form>`
          : ""
      }`,
    aside: html`<p class="aside"><a href="${site.mount}/account/security">Cancel</a></p>`,
  });
}

export const newCodesPage = (site: Site): Promise<string> =>
  page(site, {
    title: "Make new recovery codes?",
    body: html`<p>Your earlier recovery codes stop working. The new ones are shown once.</p>
      <form method="post" action="${site.mount}/account/security/recovery-codes">
        <button type="submit" autofocus>Make new codes</button>
      </form>`,
    aside: html`<p class="aside"><a href="${site.mount}/account/security">Cancel</a></p>`,
  });

export function factorPage(
  site: Site,
  {
    factor,
    name,
    failed,
  }: { factor: Factor; name: string; failed: { readonly alert?: string; readonly name?: string } },
): Promise<string> {
  const action = `${site.mount}/account/security/factor/${factor.uid}`;
  return page(site, {
    title: factor.name,
    failed: Object.keys(failed).length > 0,
    body: html`<p class="lead">${facts(factor)}</p>
      ${alert(failed.alert)}
      <form method="post" action="${action}" novalidate>
        ${nameField(name, failed.name, failed.name !== undefined)}
        <button type="submit">Save name</button>
      </form>
      <form method="post" action="${action}" class="apart">
        <p>
          ${
            factor.kind === "app"
              ? "Once removed, codes of this app don't work. Delete the account in the app as well."
              : "Once removed, this passkey doesn't sign you in. Delete it on your device as well."
          }
        </p>
        <button type="submit" name="remove" value="1" class="danger">Remove</button>
      </form>`,
    aside: html`<p class="aside">
      <a href="${site.mount}/account/security">Back to your second factors</a>
    </p>`,
  });
}
