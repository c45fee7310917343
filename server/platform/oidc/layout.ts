import { html } from "hono/html";

import { announcementAt } from "../../config";
import { now } from "../store/clock";
import { art } from "./art";
import type { Site } from "./site";

export type Markup = ReturnType<typeof html>;

const CLAIM = "Who has access, what you ship, and whether it's affected.";

/**
 * Renders a whole page. `failed` starts the title with "Error", for screen readers; `passkeys`: it has a form with one, or
 * something to copy.
 */
export async function page(
  site: Site,
  {
    title,
    failed = false,
    body,
    aside = "",
    passkeys = false,
  }: { title: string; failed?: boolean; body: Markup; aside?: Markup | ""; passkeys?: boolean },
): Promise<string> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${failed ? "Error: " : ""}${title} - ${site.title}</title>
        <link rel="icon" href="${site.icon}" type="image/svg+xml" />
        ${site.font ? html`<link rel="preload" href="${site.font}" as="font" type="font/woff2" crossorigin />` : ""}
        <link rel="stylesheet" href="${site.stylesheet}" />
        <script src="${site.script}" defer></script>
        ${passkeys ? html`<script src="${site.passkeyScript}" defer></script>` : ""}
      </head>
      <body>
        <header class="panel">
          <p class="brand"><img src="${site.icon}" alt="" width="28" height="28" />${site.title}</p>
          <div class="face">
            ${art()}
            <p class="claim">${CLAIM}</p>
          </div>
        </header>
        <main>
          ${announced(site)}
          <div class="card">
            <h1>${title}</h1>
            ${body}
          </div>
          ${aside} ${about(site)}
        </main>
      </body>
    </html> `;
  return text.toString();
}

/** What the operator tells everybody. */
function announced(site: Site): Markup | "" {
  const announcement = announcementAt(site, now());
  if (!announcement) return "";
  const { text, level, link } = announcement;
  return html`<section class="announcement ${level}" aria-label="Announcement">
    <p>${text}${link === undefined ? "" : html` <a href="${link}">Details</a>`}</p>
  </section>`;
}

/** Where to get help, and who runs the installation. */
const about = ({ supportUrl, imprintUrl }: Site): Markup | "" =>
  supportUrl === undefined && imprintUrl === undefined
    ? ""
    : html`<footer class="about">
        ${supportUrl === undefined ? "" : html`<a href="${supportUrl}">Support</a>`}
        ${imprintUrl === undefined ? "" : html`<a href="${imprintUrl}">Imprint</a>`}
      </footer>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly optional?: boolean;
  readonly focused?: boolean;
  /** Digits, or something else that is no sentence: phones show the keyboard for it. */
  readonly keys?: "numeric" | "text";
}

/** Renders a labeled input, described by its hint or by its violation instead. Never writes a password back. */
export function field({
  name,
  label,
  type,
  autocomplete,
  value = "",
  hint,
  error,
  optional,
  focused,
  keys,
}: Field): Markup {
  const described = error ? `${name}-error` : hint && `${name}-hint`;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <div class="control">
      <input
        id="${name}"
        name="${name}"
        type="${type}"
        autocomplete="${autocomplete}"
        spellcheck="false"
        autocapitalize="${type === "text" && keys === undefined ? "words" : "none"}"
        ${type === "password" ? "" : html` value="${value}"`}${optional ? "" : html` required`}${
          error ? html` aria-invalid="true"` : ""
        }${keys ? html` inputmode="${keys}"` : ""}${described ? html` aria-describedby="${described}"` : ""}${focused ? html` autofocus` : ""}
      />${
        // Without scripts there is no such button: it stays hidden.
        type === "password"
          ? html`<button class="reveal" type="button" hidden>
              <span>Show</span><span class="unseen"> ${label.toLowerCase()}</span>
            </button>`
          : ""
      }
    </div>
    ${hint && !error ? html`<p class="hint" id="${name}-hint">${hint}</p>` : ""}
    ${error ? html`<p class="error" id="${name}-error">${error}</p>` : ""}
  </div>`;
}

export const alert = (sentence: string | undefined): Markup | "" =>
  sentence ? html`<div class="alert" role="alert">${sentence}</div>` : "";
