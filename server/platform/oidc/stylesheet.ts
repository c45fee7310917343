import fonts from "../../../src/ui/fonts.css?raw";
import theme from "../../../src/ui/theme.css?raw";
import type { Typeface } from "./typeface";

/** Tokens of these pages by their names in the console's theme. */
const TOKENS = {
  page: "canvas",
  surface: "page",
  field: "field",
  hover: "hover",
  border: "border",
  "border-strong": "border-strong",
  "input-border": "border-input",
  text: "text",
  secondary: "text-secondary",
  accent: "accent",
  "accent-fill": "accent-fill",
  "accent-hover": "accent-fill-hover",
  "accent-soft": "accent-soft",
  "accent-border": "accent-border",
  danger: "danger",
  "danger-surface": "danger-soft",
  "danger-border": "danger-border",
  "warning-surface": "warning-soft",
  "warning-border": "warning-border",
};

const css = (file: string): string => file.replaceAll(/\/\*.*?\*\//gs, "");
const valueOf = (token: string): string | undefined => new RegExp(`--pc-${token}: ([^;]+);`).exec(theme)?.[1];

/** What each file of a font holds: Latin Extended, Latin. */
const [EXTENDED = "", LATIN = ""] = [...fonts.matchAll(/unicode-range:([^;]+);/g)].map(([, range]) =>
  range?.trim(),
);

const face = (family: string, file: string, range: string): string =>
  `@font-face { font-family: "${family}"; font-weight: 100 900; font-display: swap; src: url("../../${file}") format("woff2"); unicode-range: ${range}; }\n`;

const faces = ({ text, textExtended, code }: Typeface): string =>
  face("Geist", textExtended, EXTENDED) + face("Geist", text, LATIN) + face("Geist Mono", code, LATIN);

/** Stylesheet of the provider's pages, with the values of the console's theme and fonts. A file: the policy forbids inline styles. */
export const stylesheetOf = (typeface: Typeface | undefined): string =>
  (typeface ? faces(typeface) : "") + RULES;

const RULES = `
${css(fonts)
  .match(/@font-face \{[^}]*local\([^}]*\}/g)
  ?.join("\n")}
:root {
  color-scheme: light dark;
${Object.entries(TOKENS)
  .map(([own, token]) => `  --${own}: ${valueOf(token)};`)
  .join("\n")}
  --panel: light-dark(#17183d, #0c0d22);
  --glow: rgb(84 89 232 / 48%);
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--page);
  color: var(--text);
  font: 14px/20px "Geist", "Geist fallback", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-synthesis: none;
  -webkit-font-smoothing: antialiased;
  overflow-wrap: anywhere;
}
main { width: 100%; max-width: 432px; margin: 0 auto; padding: 16px 16px 48px; }
.panel { max-width: 432px; margin: 0 auto; padding: 24px 16px 0; }
.brand { display: flex; align-items: center; gap: 10px; font-size: 16px; line-height: 24px; font-weight: 600; letter-spacing: -.014em; }
.brand img { display: block; border-radius: 7px; }
.face { display: none; }
@media (width >= 62em) {
  body { display: grid; grid-template-columns: minmax(0, 9fr) minmax(0, 11fr); background: var(--surface); }
  main { align-self: center; max-width: 424px; padding-block: 40px; }
  .card { padding: 0; border: 0; }
  /* Stays in sight while a long form scrolls. */
  .panel {
    position: sticky;
    top: 0;
    display: flex;
    flex-direction: column;
    justify-content: space-between;
    width: 100%;
    max-width: none;
    height: 100vh;
    padding: 40px 48px 48px;
    overflow: hidden;
    background: var(--panel) radial-gradient(120% 90% at 100% 100%, var(--glow), transparent 62%);
    color: #ffffff;
  }
  .brand img { outline: 1px solid rgb(255 255 255 / 22%); outline-offset: -1px; }
  .face { display: grid; flex: 1; align-content: space-evenly; gap: 32px; min-height: 0; }
  .claim { max-width: 17em; font-size: 28px; line-height: 34px; font-weight: 600; letter-spacing: -.028em; text-wrap: balance; }
  .art { display: block; width: min(100%, 500px); height: auto; overflow: visible; }
}
@media (width >= 62em) and (height <= 620px) { .art { display: none; } .face { align-content: end; } }
.art .edge { fill: none; stroke: rgb(255 255 255 / 26%); stroke-width: 1.5; }
.art .node { fill: rgb(255 255 255 / 7%); stroke: rgb(255 255 255 / 18%); }
.art .icon { fill: none; stroke: #b4b8ff; stroke-width: 1.3; stroke-linecap: round; stroke-linejoin: round; }
.art .name { fill: #ffffff; font: 500 13px "Geist", "Geist fallback", sans-serif; }
.art .code { font: 500 12.5px "Geist Mono", "Geist Mono fallback", ui-monospace, monospace; }
.art .label { font: 500 12px "Geist", "Geist fallback", sans-serif; }
.art .chip { fill: rgb(255 255 255 / 8%); stroke: rgb(255 255 255 / 22%); }
.art .label { fill: #dcdcf2; }
.art .chip.accent { fill: #5459e8; stroke: #8489ff; }
.art .label.accent { fill: #ffffff; }
.art .chip.good { fill: #123a2a; stroke: #2c6f4f; }
.art .label.good { fill: #86e3b3; }
.art .chip.high { fill: #4a2413; stroke: #9a5630; }
.art .label.high { fill: #ffbb94; }
.art .dot { fill: #4cc38a; }
.art .meter { fill: none; stroke: #ffbb94; stroke-width: 2.2; stroke-linecap: round; }
.art .off { opacity: .3; }
.card { padding: 24px; background: var(--surface); border: 1px solid var(--border); border-radius: 12px; }
@media (width >= 62em) { .card { padding: 0; border: 0; border-radius: 0; } }
h1 { margin: 0; font-size: 24px; line-height: 32px; font-weight: 600; letter-spacing: -.026em; }
p, dl { margin: 0; }
.card > * + * { margin-top: 20px; }
.card > h1 + .lead { margin-top: 4px; }
.about { display: flex; justify-content: center; gap: 16px; margin-top: 24px; font-size: 13px; line-height: 18px; }
.lead, .hint, .aside { color: var(--secondary); }
form { display: grid; gap: 16px; }
.field { display: grid; gap: 6px; }
label { font-size: 13px; line-height: 18px; font-weight: 550; }
.forgot { margin: -8px 0 0; font-size: 13px; }
.hint, .error { font-size: 12px; line-height: 16px; }
.error { color: var(--danger); }
.control { position: relative; display: grid; }
input {
  width: 100%;
  min-height: 40px;
  padding: 9px 12px;
  border: 1px solid var(--input-border);
  border-radius: 8px;
  background: var(--field);
  color: inherit;
  font: inherit;
}
.control:has(.reveal:not([hidden])) input { padding-inline-end: 68px; }
.reveal, .reveal:hover {
  position: absolute;
  inset: 5px 5px auto auto;
  min-height: 30px;
  padding: 4px 10px;
  border-radius: 6px;
  background: transparent;
  color: var(--secondary);
  font-size: 13px;
  font-weight: 500;
  box-shadow: none;
}
.reveal:hover { background: var(--hover); color: var(--text); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
input[aria-invalid="true"] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 40px;
  padding: 9px 16px;
  border: 1px solid transparent;
  border-radius: 8px;
  background: var(--accent-fill);
  color: #ffffff;
  font: inherit;
  font-weight: 550;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-hover); }
button:active, .button:active { opacity: .72; }
.quiet { background: transparent; border-color: var(--border-strong); color: var(--text); }
.quiet:hover { background: var(--hover); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
form > button, .elsewhere > .button { width: 100%; }
.elsewhere { display: grid; gap: 8px; }
.or { display: flex; align-items: center; gap: 8px; color: var(--secondary); font-size: 12px; line-height: 16px; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--border); }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert { padding: 10px 12px; border: 1px solid var(--danger-border); border-radius: 8px; color: var(--danger); background: var(--danger-surface); }
.announcement { margin-bottom: 20px; padding: 10px 12px; border: 1px solid var(--accent-border); border-radius: 8px; background: var(--accent-soft); }
.announcement.warning { border-color: var(--warning-border); background: var(--warning-surface); }
.aside { margin-top: 16px; text-align: center; font-size: 13px; }
.demo { margin-top: 24px; padding-top: 20px; border-top: 1px solid var(--border); }
h2 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; margin: 0; font-size: 13px; line-height: 20px; font-weight: 600; }
h2 span { color: var(--secondary); font-size: 12px; font-weight: 400; }
.demo ul { display: grid; gap: 0; margin: 8px 0 0; padding: 0; border: 1px solid var(--border); border-radius: 10px; background: var(--surface); list-style: none; overflow: hidden; }
.demo li + li { border-top: 1px solid var(--border); }
.person, .person:hover {
  justify-content: start;
  gap: 10px;
  min-height: 40px;
  padding: 5px 12px;
  border: 0;
  border-radius: 0;
  background: transparent;
  color: var(--text);
  font-size: 13px;
  text-align: start;
}
.person:hover { background: var(--hover); }
.person:focus-visible { outline-offset: -2px; border-radius: 9px; }
.person strong { flex: none; font-weight: 550; }
.avatar { display: grid; flex: none; place-items: center; width: 26px; height: 26px; border: 1px solid var(--accent-border); border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-size: 10px; font-weight: 600; letter-spacing: .02em; }
.why { min-width: 0; margin-inline-start: auto; color: var(--secondary); font-size: 12px; line-height: 16px; font-weight: 400; text-align: end; }
ol, ul { margin: 0; padding: 0; list-style: none; }
.kinds, .factors, .steps { display: grid; gap: 16px; }
.kinds .button { width: 100%; }
.kinds .hint { margin-top: 6px; }
.factors { gap: 0; border: 1px solid var(--border); border-radius: 10px; background: var(--surface); }
.factors li { display: flex; align-items: center; justify-content: space-between; gap: 16px; padding: 10px 12px; }
.factors li + li { border-top: 1px solid var(--border); }
.factors p { display: grid; gap: 2px; min-width: 0; }
.factors a { flex: none; font-size: 13px; }
.steps { counter-reset: step; }
.steps > li { position: relative; padding-inline-start: 32px; counter-increment: step; }
.steps > li::before { content: counter(step); position: absolute; inset: 0 auto auto 0; display: grid; place-items: center; width: 20px; height: 20px; border-radius: 50%; background: var(--accent-soft); color: var(--accent); font-size: 12px; font-weight: 600; }
.steps .hint { margin-top: 12px; }
.qr { display: block; width: 184px; height: 184px; margin-top: 12px; border: 1px solid var(--border); border-radius: 8px; }
/* Dark on light in every color scheme: some apps read no other. */
.qr rect { fill: #ffffff; }
.qr path { fill: #000000; shape-rendering: crispEdges; }
.secret { display: flex; align-items: center; gap: 8px; margin-top: 6px; }
.secret button { flex: none; }
code { font: 12.5px/20px "Geist Mono", "Geist Mono fallback", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-variant-ligatures: none; }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(176px, 1fr)); gap: 8px; padding: 12px; border: 1px solid var(--border); border-radius: 10px; background: var(--field); }
.codes code { font-size: 14px; }
.apart { padding-top: 20px; border-top: 1px solid var(--border); }
.danger { background: transparent; border-color: var(--danger-border); color: var(--danger); }
.danger:hover { background: var(--danger-surface); }
.detail { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; color: var(--secondary); }
.detail div { display: contents; }
.detail dd { margin: 0; overflow-wrap: anywhere; font: 12.5px/20px "Geist Mono", "Geist Mono fallback", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-variant-ligatures: none; }
[hidden], form[id="op.logoutForm"] { display: none; }
@media (width < 36em) {
  /* Under 16 px, phones zoom into a field as it takes the focus. */
  input { min-height: 44px; font-size: 16px; }
  button, .button { min-height: 44px; font-size: 16px; }
  .reveal, .reveal:hover { inset: 5px 5px auto auto; min-height: 34px; font-size: 14px; }
  .person, .person:hover { min-height: 48px; font-size: 14px; }
}
@media (forced-colors: active) { .art { display: none; } }
`;
