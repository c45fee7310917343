/** Stylesheet of the provider's pages, with the console theme's values. A file: the policy forbids inline styles. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f7f7f8;
  --surface: #ffffff;
  --border: #e4e4e7;
  --input-border: #8a8a94;
  --text: #18181b;
  --secondary: #52525b;
  --accent: #2451d6;
  --accent-fill: #2451d6;
  --accent-hover: #1e45b8;
  --danger: #b3261e;
  --danger-surface: #fdf3f2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0c0d0f;
    --surface: #18191d;
    --border: #2a2c32;
    --input-border: #6d707b;
    --text: #ececf1;
    --secondary: #a6a9b4;
    --accent: #8fabff;
    --accent-fill: #3b62e0;
    --accent-hover: #4a6fe6;
    --danger: #ff8f80;
    --danger-surface: #2a1b1b;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  background: var(--page);
  color: var(--text);
  font: 14px/20px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
main { width: 100%; max-width: 432px; margin: 0 auto; padding: 16px 16px 48px; }
.panel { max-width: 432px; margin: 0 auto; padding: 24px 16px 0; }
.brand { display: flex; align-items: center; gap: 10px; font-size: 16px; line-height: 24px; font-weight: 600; }
.brand img { display: block; }
.mark, .claim { display: none; }
@media (min-width: 900px) {
  body { display: grid; grid-template-columns: min(40vw, 600px) minmax(0, 1fr); background: var(--surface); }
  main { align-self: center; padding-block: 48px; }
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
    padding: 40px;
    overflow: hidden;
    background: #1b3fae;
    color: #ffffff;
  }
  .panel > * { position: relative; }
  /* The icon is larger than the panel: its ground is the panel's, and only a part of the letter is in sight. */
  .panel > .mark { position: absolute; inset: 50% auto auto 50%; display: block; width: max(190%, 190vh); max-width: none; transform: translate(-46%, -52%); opacity: .1; }
  .brand img { outline: 1px solid rgb(255 255 255 / 30%); outline-offset: -1px; border-radius: 6px; }
  .claim { display: block; max-width: 15em; font-size: 30px; line-height: 38px; font-weight: 600; letter-spacing: -.02em; text-wrap: balance; }
}
@media (min-width: 900px) and (prefers-color-scheme: dark) {
  .panel { background: #14235c; }
}
.card { padding: 24px; background: var(--surface); border: 1px solid var(--border); border-radius: 6px; }
h1 { margin: 0; font-size: 22px; line-height: 28px; font-weight: 600; letter-spacing: -.017em; }
p, dl { margin: 0; }
.card > * + * { margin-top: 16px; }
.card > h1 + .lead { margin-top: 4px; }
.lead, .hint, .aside { color: var(--secondary); }
form { display: grid; gap: 16px; }
.field { display: grid; gap: 4px; }
label { font-size: 12px; line-height: 16px; font-weight: 600; }
.hint, .error { font-size: 12px; line-height: 16px; }
.error { color: var(--danger); }
input {
  width: 100%;
  min-height: 36px;
  padding: 7px 10px;
  border: 1px solid var(--input-border);
  border-radius: 6px;
  background: var(--surface);
  color: inherit;
  font: inherit;
}
input[aria-invalid="true"] { border-color: var(--danger); box-shadow: inset 0 0 0 1px var(--danger); }
button, .button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 36px;
  padding: 7px 16px;
  border: 1px solid transparent;
  border-radius: 6px;
  background: var(--accent-fill);
  color: #ffffff;
  font: inherit;
  font-weight: 600;
  text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-hover); }
.quiet { background: transparent; border-color: var(--input-border); color: var(--text); }
.quiet:hover { background: var(--page); }
.actions { display: flex; flex-wrap: wrap; gap: 8px; }
form > button, .elsewhere > .button { width: 100%; }
.elsewhere { display: grid; gap: 8px; }
.or { display: flex; align-items: center; gap: 8px; color: var(--secondary); font-size: 12px; line-height: 16px; }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--border); }
a { color: var(--accent); text-underline-offset: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert { padding: 8px 12px; border: 1px solid; border-radius: 6px; color: var(--danger); background: var(--danger-surface); }
.aside { margin-top: 16px; text-align: center; }
.demo { margin-top: 16px; }
h2 { margin: 0; font-size: 14px; line-height: 20px; font-weight: 600; }
.card > h2 + .lead { margin-top: 4px; }
.demo ul { display: grid; gap: 4px; margin: 12px -8px -8px; padding: 0; list-style: none; }
.person {
  flex-direction: column;
  align-items: flex-start;
  padding: 7px 8px;
  background: transparent;
  color: var(--text);
  text-align: start;
}
.person:hover { background: var(--page); border-color: var(--border); }
.person span { color: var(--secondary); font-weight: 400; }
.detail { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 12px; color: var(--secondary); }
.detail div { display: contents; }
.detail dd { margin: 0; overflow-wrap: anywhere; font: 12.5px/20px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
[hidden], form[id="op.logoutForm"] { display: none; }
@media (max-width: 480px) {
  /* Under 16 px, phones zoom into a field as it takes the focus. */
  input { min-height: 44px; font-size: 16px; }
  button, .button { min-height: 44px; font-size: 16px; }
}
`;
