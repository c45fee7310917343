import { html } from "hono/html";

import { alert, field, page, type Markup } from "../layout";
import type { Site } from "../site";

/** Options for the browser's passkeys, as the library for it reads them. */
export type Options = object;

/** A form that a passkey answers: hidden until the script has found that this browser has passkeys. */
export const passkeyForm = (
  action: string,
  options: Options,
  {
    label,
    create = false,
    quiet = false,
    fields = "",
  }: { label: string; create?: boolean; quiet?: boolean; fields?: Markup | "" },
): Markup =>
  html`<form
    method="post"
    action="${action}"
    data-ask="${JSON.stringify(options)}"
    ${create ? html` data-create` : ""}
    hidden
    novalidate
  >
    <input type="hidden" name="credential" value="" />
    ${fields}
    <p class="error" role="alert" hidden></p>
    <button type="submit" ${quiet ? html` class="quiet"` : ""}>${label}</button>
  </form>`;

export const withoutPasskeys = (sentence: string): Markup =>
  html`<p class="hint without-passkeys">${sentence}</p>`;

export const or = (words = "or"): Markup => html`<p class="or"><span>${words}</span></p>`;

export const codeField = (error: string | undefined, focused: boolean): Markup =>
  field({
    name: "code",
    label: "Code",
    type: "text",
    keys: "numeric",
    autocomplete: "one-time-code",
    hint: "Six digits from your authenticator app",
    error,
    focused,
  });

export interface SecondShown {
  readonly email: string;
  /** True if there is an app to take a code from. */
  readonly app: boolean;
  readonly passkey: Options | undefined;
  /** Recovery codes that are left. */
  readonly recovery: boolean;
  readonly failed?: { readonly alert?: string; readonly code?: string };
}

/** After the password: one of the account's second factors. */
export function secondStepPage(
  site: Site,
  uid: string,
  { email, app, passkey, recovery, failed = {} }: SecondShown,
): Promise<string> {
  const address = `${site.mount}/interaction/${uid}`;
  const error = failed.alert ?? failed.code;
  const instead = recovery ? ". Use a recovery code." : ", and no recovery code is left.";
  return page(site, {
    title: "Confirm it's you",
    failed: error !== undefined,
    passkeys: true,
    body: html`<p class="lead">Signing in as ${email}</p>
      ${alert(failed.alert)}
      ${
        passkey
          ? html`<div>
              ${passkeyForm(`${address}/passkey`, passkey, { label: "Use your passkey" })}
              ${withoutPasskeys("Your account has a passkey, but this browser can't use it.")}
            </div>`
          : ""
      }
      ${app && passkey ? or() : ""}
      ${
        app
          ? html`<form method="post" action="${address}/second-factor" novalidate>
              ${codeField(failed.code, !passkey || failed.code !== undefined)}
              <button type="submit" ${passkey ? html` class="quiet"` : ""}>Continue</button>
            </form>`
          : ""
      }
      ${app || passkey ? "" : html`<p>Your second factors don't work at this address${instead}</p>`}
      ${
        recovery
          ? html`<p><a href="${address}/recovery-code">Use a recovery code</a></p>`
          : html`<p class="hint">
              ${app || passkey ? "If you lost your device," : "To get in,"}
              ${
                site.supportUrl === undefined
                  ? "ask the people who run this service."
                  : html`<a href="${site.supportUrl}">contact support</a>.`
              }
            </p>`
      }`,
    aside: html`<p class="aside"><a href="${address}">Sign in as somebody else</a></p>`,
  });
}

export const recoveryCodePage = (
  site: Site,
  uid: string,
  { email, failed = {} }: Pick<SecondShown, "email" | "failed">,
): Promise<string> => {
  const address = `${site.mount}/interaction/${uid}`;
  return page(site, {
    title: "Use a recovery code",
    failed: (failed.alert ?? failed.code) !== undefined,
    body: html`<p class="lead">Signing in as ${email}</p>
      ${alert(failed.alert)}
      <form method="post" action="${address}/recovery-code" novalidate>
        ${field({
          name: "code",
          label: "Recovery code",
          type: "text",
          keys: "text",
          autocomplete: "off",
          hint: "One of those that you kept when you set up your second factor. Each works once.",
          error: failed.code,
          focused: true,
        })}
        <button type="submit">Continue</button>
      </form>`,
    aside: html`<p class="aside"><a href="${address}/second-factor">Back to other ways</a></p>`,
  });
};

/** Where one is required and there is none yet. */
export const setUpPage = (site: Site, uid: string, email: string): Promise<string> => {
  const address = `${site.mount}/interaction/${uid}`;
  return page(site, {
    title: "Set up a second factor",
    body: html`<p class="lead">Signing in as ${email}</p>
      <p>
        ${site.title} requires a second factor besides your password. You'll be asked for it whenever you sign
        in.
      </p>
      ${kinds(site, address)}`,
    aside: html`<p class="aside"><a href="${address}">Sign in as somebody else</a></p>`,
  });
};

/** Links to the pages that add a factor. */
export const kinds = (site: Site, address: string): Markup =>
  html`<ul class="kinds">
    <li>
      <a class="button quiet" href="${address}/add-app">Add an authenticator app</a>
      <p class="hint">An app on your phone shows six digits that change every 30 seconds.</p>
    </li>
    ${
      site.passkeys
        ? html`<li>
            <a class="button quiet" href="${address}/add-passkey">Add a passkey</a>
            <p class="hint">Your device or a security key confirms it's you, by fingerprint, face or PIN.</p>
          </li>`
        : html`<li>
            <p class="hint">
              No passkeys here: browsers have them only at https addresses with a host name, and at localhost.
            </p>
          </li>`
    }
  </ul>`;

export const nameField = (value: string, error: string | undefined, focused: boolean): Markup =>
  field({
    name: "name",
    label: "Name",
    type: "text",
    autocomplete: "off",
    value,
    hint: "To tell it from others, such as the name of the device",
    error,
    focused,
  });

export interface AppShown {
  readonly name: string;
  readonly secret: string;
  /** SVG path and size of the QR code. */
  readonly qr: { readonly size: number; readonly path: string };
  readonly failed?: { readonly alert?: string; readonly name?: string; readonly code?: string };
}

/** The address of the pages that a page belongs to, and where "Cancel" leads. */
interface Place {
  readonly at: string;
  readonly back: string;
}

export const addAppPage = (
  site: Site,
  { at, back }: Place,
  { name, secret, qr, failed = {} }: AppShown,
): Promise<string> =>
  page(site, {
    title: "Add an authenticator app",
    failed: Object.keys(failed).length > 0,
    passkeys: true,
    body: html`${alert(failed.alert)}
      <ol class="steps">
        <li>
          Scan this code with the app.
          <svg
            class="qr"
            viewBox="0 0 ${qr.size} ${qr.size}"
            role="img"
            aria-label="QR code with the secret below"
          >
            <rect width="${qr.size}" height="${qr.size}" />
            <path d="${qr.path}" />
          </svg>
          <p class="hint">Or type this key there (time-based):</p>
          <p class="secret">
            <code>${secret.replaceAll(/(.{4})(?!$)/g, "$1 ")}</code>
            <button class="quiet" type="button" data-copy="${secret}" hidden>Copy</button>
          </p>
        </li>
        <li>Enter the code that the app shows now.</li>
      </ol>
      <form method="post" action="${at}/add-app" novalidate>
        ${codeField(failed.code, failed.code !== undefined || failed.name === undefined)}
        ${nameField(name, failed.name, failed.name !== undefined && failed.code === undefined)}
        <button type="submit">Add app</button>
      </form>`,
    aside: html`<p class="aside"><a href="${back}">Cancel</a></p>`,
  });

export const addPasskeyPage = (
  site: Site,
  { at, back }: Place,
  {
    name,
    options,
    failed = {},
  }: { name: string; options: Options; failed?: { readonly alert?: string; readonly name?: string } },
): Promise<string> =>
  page(site, {
    title: "Add a passkey",
    failed: Object.keys(failed).length > 0,
    passkeys: true,
    body: html`<p class="lead">
        It signs you in after your password, or without one if it checks your fingerprint, face or PIN.
      </p>
      ${alert(failed.alert)}
      <div>
        ${passkeyForm(`${at}/add-passkey`, options, {
          label: "Create passkey",
          create: true,
          fields: nameField(name, failed.name, true),
        })}
        ${withoutPasskeys("This browser can't create passkeys. Use another one, or add an authenticator app.")}
      </div>`,
    aside: html`<p class="aside"><a href="${back}">Cancel</a></p>`,
  });

/** Shows the codes, this once. `on`: how to go on. */
export const recoveryCodesPage = (
  site: Site,
  { codes, lead, on }: { codes: readonly string[]; lead: string; on: Markup },
): Promise<string> =>
  page(site, {
    title: "Your recovery codes",
    passkeys: true,
    body: html`<p class="lead" role="status">${lead}</p>
      <p>
        If you lose your device, each of these signs you in once, with your password. They're shown only now:
        keep them somewhere safe, but not with your password.
      </p>
      <ol class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ol>
      <div class="actions">
        ${on}
        <button class="quiet" type="button" data-copy="${codes.join("\n")}" hidden>Copy codes</button>
      </div>`,
  });
