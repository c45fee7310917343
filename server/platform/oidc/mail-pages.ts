import { html } from "hono/html";

import { alert, page, type Markup } from "./layout";
import { fieldsOf, focus, hasFailed, newPassword, summary, type Failed } from "./pages";
import type { Site } from "./site";

/** Whom to ask if the page cannot help. */
const help = (site: Site): Markup =>
  site.supportUrl === undefined
    ? html`the people who run this service`
    : html`<a href="${site.supportUrl}">support</a>`;

/** Without mail, a person has to ask another: this says whom. */
export const askSomebodyPage = (site: Site, uid: string): Promise<string> =>
  page(site, {
    title: "Forgot your password?",
    body: html`<p class="lead">
        ${
          site.supportUrl === undefined
            ? html`Ask the people who run this service for a new one.`
            : html`Ask for a new one: <a href="${site.supportUrl}">contact support</a>.`
        }
        They don't know your password, but can replace it.
      </p>
      <p>Once you're signed in with the new one, change it in your account menu.</p>
      <p><a class="button" href="${site.mount}/interaction/${uid}">Back to sign-in</a></p>`,
  });

export function forgotPasswordPage(
  site: Site,
  { uid, email, failed = {} }: { uid: string; email: string; failed?: Failed },
): Promise<string> {
  const address = `${site.mount}/interaction/${uid}`;
  const input = fieldsOf(failed, "email");
  return page(site, {
    title: "Forgot your password?",
    failed: hasFailed(failed),
    body: html`<p class="lead">We'll mail you a link to choose a new one.</p>
      ${alert(summary(failed))}
      <form method="post" action="${address}/forgot-password" novalidate>
        ${input({ name: "email", label: "Email", type: "email", autocomplete: "username", value: email })}
        <button type="submit">Send the link</button>
      </form>`,
    aside: html`<p class="aside"><a href="${address}">Back to sign-in</a></p>`,
  });
}

/** The same whether or not there is an account. */
export const resetAskedPage = (site: Site, uid: string, email: string): Promise<string> =>
  page(site, {
    title: "Check your mail",
    body: html`<p class="lead" role="status">
        If <strong>${email}</strong> is the address of an account, a mail with a link will arrive there soon.
      </p>
      <p>
        The link works once, for 30 minutes. Nothing there? Look in the spam folder, try another address, or
        ask ${help(site)}.
      </p>
      <p><a class="button" href="${site.mount}/interaction/${uid}">Back to sign-in</a></p>`,
  });

export function resetPasswordPage(
  site: Site,
  { email, token, failed = {} }: { email: string; token: string; failed?: Failed },
): Promise<string> {
  const input = fieldsOf(failed, "new-password");
  return page(site, {
    title: "Choose a new password",
    failed: hasFailed(failed),
    body: html`<p class="lead">For ${email}</p>
      ${alert(summary(failed))}
      <form method="post" action="${site.mount}/account/reset-password" novalidate>
        <input name="email" type="text" autocomplete="username" value="${email}" readonly hidden />
        <input name="token" type="hidden" value="${token}" />
        ${newPassword(input, "new-password", "New password")}
        <button type="submit">Set password</button>
      </form>`,
  });
}

export const passwordResetPage = (site: Site): Promise<string> =>
  page(site, {
    title: "Password changed",
    body: html`<p class="lead" role="status">You're signed out everywhere. Sign in with the new password.</p>
      <p><a class="button" href="${site.console}">Sign in</a></p>`,
  });

/** Where an account stands with its address. */
export interface AddressFacts {
  readonly email: string;
  readonly verified: boolean;
  /** The operator set it, by ADMIN_EMAIL. */
  readonly fixed: boolean;
}

export function emailPage(
  site: Site,
  {
    email,
    verified,
    fixed,
    typed = "",
    failed = {},
  }: AddressFacts & { typed?: string | undefined; failed?: Failed | undefined },
): Promise<string> {
  const address = `${site.mount}/account/email`;
  const shown = failed.fields ? focus(failed, ["email", "current-password"], "") : "";
  const input = fieldsOf(failed, shown);
  const fields = [
    input({ name: "email", label: "New address", type: "email", autocomplete: "email", value: typed }),
    input({
      name: "current-password",
      label: "Current password",
      type: "password",
      autocomplete: "current-password",
    }),
  ];
  return page(site, {
    title: "Your email address",
    failed: hasFailed(failed),
    body: html`<p class="lead"><strong>${email}</strong></p>
      ${alert(summary(failed))}
      <p>
        ${
          verified
            ? "Confirmed: you opened a link that was mailed there."
            : "Not confirmed yet. Until you open a link that we mail there, nobody knows whether it's yours."
        }
      </p>
      ${
        verified
          ? ""
          : html`<form method="post" action="${address}">
              <button type="submit" name="what" value="confirm">Mail me the link</button>
            </form>`
      }
      ${
        fixed
          ? html`<p>This is the account of the people who run this service. They set its address.</p>`
          : html`<h2>Change it</h2>
              <p>We mail a link to the new address. The old one counts until you open it.</p>
              <form method="post" action="${address}" novalidate>
                ${fields}
                <button type="submit" name="what" value="change" class="quiet">Mail a link there</button>
              </form>`
      }`,
    aside: html`<p class="aside"><a href="${site.console}">Back to the console</a></p>`,
  });
}

export const confirmAskedPage = (site: Site, email: string): Promise<string> =>
  page(site, {
    title: "Check your mail",
    body: html`<p class="lead" role="status">
        A mail with a link will arrive at <strong>${email}</strong> soon.
      </p>
      <p>
        Open the link in a browser in which you're signed in. It works once, for 24 hours. Nothing there? Look
        in the spam folder, or ask ${help(site)}.
      </p>
      <p><a class="button" href="${site.console}">Go to the console</a></p>`,
  });

export const confirmPage = (
  site: Site,
  { email, before, token }: { email: string; before: string; token: string },
): Promise<string> =>
  page(site, {
    title: "Confirm your address",
    body: html`<p class="lead"><strong>${email}</strong></p>
      <p>
        ${
          email === before
            ? "Confirm that this is the address of your account."
            : html`From now on, this is the address of your account, with which you sign in, in place of
                <strong>${before}</strong>.`
        }
      </p>
      <form method="post" action="${site.mount}/account/confirm-email">
        <input name="token" type="hidden" value="${token}" />
        <button type="submit" autofocus>Confirm</button>
      </form>`,
    aside: html`<p class="aside"><a href="${site.console}">Back to the console</a></p>`,
  });

export const confirmedPage = (site: Site, email: string): Promise<string> =>
  page(site, {
    title: "Address confirmed",
    body: html`<p class="lead" role="status"><strong>${email}</strong> is the address of your account.</p>
      <p><a class="button" href="${site.console}">Go to the console</a></p>`,
  });
