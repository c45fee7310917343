/** Script of the provider's pages: shows and hides a password. A file, by its exact address: the policy permits no other. */
export const script = `for (const button of document.querySelectorAll(".reveal")) {
  const field = button.previousElementSibling;
  const label = field.labels[0].textContent.toLowerCase();
  const set = (shown) => {
    field.type = shown ? "text" : "password";
    button.textContent = shown ? "Hide" : "Show";
    button.setAttribute("aria-label", button.textContent + " " + label);
  };
  set(false);
  button.hidden = false;
  button.addEventListener("click", () => set(field.type === "password"));
  // Browsers offer to save, and remember as typed text, by the type that is sent.
  field.form.addEventListener("submit", () => set(false));
}
`;
