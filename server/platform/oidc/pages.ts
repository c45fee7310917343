import { html, raw } from "hono/html";

import { DEMO_PASSWORD, type DemoPerson } from "../../demo";
import { passkeyForm, type Options } from "./factors/pages";
import { alert, field, page, type Field, type Markup } from "./layout";
import type { Offered } from "./remembered-providers";
import type { Site } from "./site";

/** Messages to show in a form that failed: by field name, and one for the form itself. */
export interface Failed {
  readonly alert?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Returns the first field with a violation, or the given one. */
export const focus = (failed: Failed, order: readonly string[], otherwise: string): string =>
  order.find((name) => failed.fields?.[name]) ?? otherwise;

export const summary = (failed: Failed): string | undefined =>
  failed.alert ??
  (failed.fields && Object.keys(failed.fields).length > 0 ? "Check the highlighted fields." : undefined);

/** Renders fields with their violations; focuses the named one. */
export const fieldsOf =
  (failed: Failed, focused: string) =>
  (spec: Omit<Field, "error" | "focused">): Markup =>
    field({ ...spec, error: failed.fields?.[spec.name], focused: spec.name === focused });

export const newPassword = (input: ReturnType<typeof fieldsOf>, name: string, label: string): Markup =>
  input({ name, label, type: "password", autocomplete: "new-password", hint: "At least 10 characters" });

export const hasFailed = (failed: Failed): boolean => summary(failed) !== undefined;

export function signInPage(
  site: Site,
  {
    uid,
    email,
    signUp,
    invited,
    command,
    demo,
    providers,
    passkey,
    failed = {},
  }: {
    uid: string;
    email: string;
    signUp: boolean;
    invited: boolean;
    /** A program on this computer asks, not the console. */
    command: boolean;
    demo: readonly DemoPerson[];
    providers: readonly Offered[];
    /** What to ask the browser's passkeys; undefined where there are none. */
    passkey: Options | undefined;
    failed?: Failed;
  },
): Promise<string> {
  const address = `${site.mount}/interaction/${uid}`;
  const input = fieldsOf(
    failed,
    focus(
      failed,
      ["email", "password"],
      providers.length > 0 && !hasFailed(failed) ? "" : email ? "password" : "email",
    ),
  );
  const fields = [
    input({ name: "email", label: "Email", type: "email", autocomplete: "username", value: email }),
    input({ name: "password", label: "Password", type: "password", autocomplete: "current-password" }),
  ];
  return page(site, {
    title: "Sign in",
    failed: hasFailed(failed),
    passkeys: passkey !== undefined,
    body: html`${
        invited ? html`<p class="lead">You have an invite. Sign in, or create an account, to see it.</p>` : ""
      }${
        command
          ? html`<p class="lead">
              The command platform asks you to sign in. If you didn't start it, close this page.
            </p>`
          : ""
      }${alert(summary(failed))}
      ${elsewhere(address, providers, !hasFailed(failed))}
      <form method="post" action="${address}" novalidate>
        ${fields}
        <p class="forgot"><a href="${address}/forgot-password">Forgot your password?</a></p>
        <button type="submit" ${providers.length > 0 ? html` class="quiet"` : ""}>Sign in</button>
      </form>
      ${passkey ? passkeyForm(address, passkey, { label: "Sign in with a passkey", quiet: true }) : ""}`,
    aside: html`${
      signUp
        ? html`<p class="aside">New here? <a href="${address}/create-account">Create an account</a></p>`
        : ""
    }${demo.length > 0 ? demoCard(address, demo) : ""}`,
  });
}

/** Links, not forms: the policy's form-action only allows our own pages and consoles. */
const elsewhere = (address: string, providers: readonly Offered[], focused: boolean): Markup | "" =>
  providers.length > 0
    ? html`<div class="elsewhere">
          ${providers.map(({ at, name }, index) => html`<a class="button" href="${address}/continue/${at}" ${focused && index === 0 ? html` autofocus` : ""}>Continue with ${name}</a>`)}
        </div>
        <p class="or"><span>or with an account on this service</span></p>`
    : "";

/** "Olivia Brandt": OB. */
const initials = (name: string): string =>
  name
    .split(" ")
    .map(([letter]) => letter)
    .join("");

/** The demo people, each a separate form that only takes a click. */
const demoCard = (address: string, demo: readonly DemoPerson[]): Markup =>
  html`<section class="demo" aria-labelledby="demo">
    <h2 id="demo">Demo accounts <span>One click, on this computer only</span></h2>
    <ul>
      ${demo.map(
        ({ email, name, why }) =>
          html`<li>
            <form method="post" action="${address}">
              <input type="hidden" name="email" value="${email}" />
              <input type="hidden" name="password" value="${DEMO_PASSWORD}" />
              <button class="person" type="submit">
                <span class="avatar" aria-hidden="true">${initials(name)}</span> <strong>${name}</strong>
                <span class="why">${why}</span>
              </button>
            </form>
          </li>`,
      )}
    </ul>
  </section>`;

export function createAccountPage(
  site: Site,
  { uid, email, name, failed = {} }: { uid: string; email: string; name: string; failed?: Failed },
): Promise<string> {
  const address = `${site.mount}/interaction/${uid}`;
  const input = fieldsOf(
    failed,
    focus(failed, ["email", "name", "password"], failed.alert ? "password" : "email"),
  );
  const hint = "Optional. Shown to other people.";
  const fields = [
    input({ name: "email", label: "Email", type: "email", autocomplete: "username", value: email }),
    input({
      name: "name",
      label: "Name",
      type: "text",
      autocomplete: "name",
      value: name,
      hint,
      optional: true,
    }),
    newPassword(input, "password", "Password"),
  ];
  return page(site, {
    title: "Create an account",
    failed: hasFailed(failed),
    body: html`${alert(summary(failed))}
      <form method="post" action="${address}/create-account" novalidate>
        ${fields}
        <button type="submit">Create account</button>
      </form>`,
    aside: html`<p class="aside">Have an account? <a href="${address}">Sign in</a></p>`,
  });
}

export function passwordPage(
  site: Site,
  { email, failed = {} }: { email: string; failed?: Failed },
): Promise<string> {
  const input = fieldsOf(failed, focus(failed, ["current-password", "new-password"], "current-password"));
  const fields = [
    input({
      name: "current-password",
      label: "Current password",
      type: "password",
      autocomplete: "current-password",
    }),
    newPassword(input, "new-password", "New password"),
  ];
  return page(site, {
    title: "Change your password",
    failed: hasFailed(failed),
    body: html`<p class="lead">Signed in as ${email}</p>
      ${alert(summary(failed))}
      <form method="post" action="${site.mount}/account/password" novalidate>
        <input name="email" type="text" autocomplete="username" value="${email}" readonly hidden />
        ${fields}
        <button type="submit">Change password</button>
      </form>`,
    aside: html`<p class="aside"><a href="${site.console}">Back to the console</a></p>`,
  });
}

export const passwordChangedPage = (site: Site): Promise<string> =>
  page(site, {
    title: "Password changed",
    body: html`<p class="lead" role="status">You're signed out everywhere else.</p>
      <p><a class="button" href="${site.console}">Go to the console</a></p>`,
  });

/** `detail`: names and values for the developer of a client. */
export const errorPage = (
  site: Site,
  {
    title,
    message,
    detail = {},
  }: { title: string; message: string; detail?: Readonly<Record<string, string>> },
): Promise<string> =>
  page(site, {
    title,
    body: html`<p role="alert">${message}</p>
      ${
        Object.keys(detail).length > 0
          ? html`<dl class="detail">
              ${Object.entries(detail).map(
                ([name, value]) =>
                  html`<div>
                    <dt>${name}</dt>
                    <dd>${value}</dd>
                  </div>`,
              )}
            </dl>`
          : ""
      }
      <p><a class="button" href="${site.console}">Go to the console</a></p>`,
  });

/** `form` is the provider's hidden form, with the id op.logoutForm. */
export const confirmSignOutPage = (site: Site, form: string): Promise<string> =>
  page(site, {
    title: "Sign out?",
    body: html`<p class="lead">This ends your session in this browser, in every tab.</p>
      ${raw(form)}
      <div class="actions">
        <button type="submit" form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button>
        <a class="button quiet" href="${site.console}">Stay signed in</a>
      </div>`,
  });

export const signedOutPage = (site: Site): Promise<string> =>
  page(site, {
    title: "You're signed out",
    body: html`<p class="lead">Your session in this browser has ended.</p>
      <p><a class="button" href="${site.console}">Sign in</a></p>`,
  });
