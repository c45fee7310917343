import library from "../../../node_modules/@simplewebauthn/browser/dist/bundle/index.umd.min.js?raw";

/**
 * Script of the pages with passkeys: it asks the browser for one and sends its answer with the form. `data-ask` has the
 * options; forms with `data-create` make a new passkey. Without scripts, or where the browser has no passkeys, the
 * buttons stay hidden, and the text beside them says so.
 */
export const passkeyScript = `${library}
for (const form of document.querySelectorAll("form[data-ask]")) {
  const { browserSupportsWebAuthn, startAuthentication, startRegistration } = SimpleWebAuthnBrowser;
  if (!browserSupportsWebAuthn()) continue;
  const [answer, failure] = [form.elements.credential, form.querySelector("[role=alert]")];
  const creates = "create" in form.dataset;
  form.hidden = false;
  const without = form.parentElement.querySelector(".without-passkeys");
  if (without) without.hidden = true;
  const sentence = (error) => {
    const name = error.cause?.name ?? error.name;
    if (name === "InvalidStateError") return "This device already has a passkey for your account.";
    if (name === "NotAllowedError" || name === "AbortError")
      return creates ? "No passkey was created. Try again." : "No passkey was used. Try again, or choose another way.";
    return "The passkey can't be used here (" + name + ").";
  };
  form.addEventListener("submit", async (event) => {
    if (answer.value !== "") return;
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    failure.hidden = true;
    try {
      const optionsJSON = JSON.parse(form.dataset.ask);
      answer.value = JSON.stringify(await (creates ? startRegistration : startAuthentication)({ optionsJSON }));
      form.submit();
    } catch (error) {
      failure.textContent = sentence(error);
      failure.hidden = false;
    } finally {
      form.ariaBusy = "false";
    }
  });
}
// A page that the browser kept, after Back: its answer was used.
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-ask]")) form.elements.credential.value = "";
});
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", () =>
    navigator.clipboard.writeText(button.dataset.copy).then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Can't be copied here"),
    ),
  );
}
`;
