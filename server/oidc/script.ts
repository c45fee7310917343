/** Script of the provider's pages: shows and hides a password. A file, by its exact address: the policy permits no other. */
export const script = `for (const button of document.querySelectorAll(".reveal")) {
  const field = button.previousElementSibling;
  button.hidden = false;
  button.setAttribute("aria-label", "Show password");
  button.addEventListener("click", () => {
    const shown = field.type === "password";
    field.type = shown ? "text" : "password";
    button.setAttribute("aria-pressed", String(shown));
    button.textContent = shown ? "Hide" : "Show";
  });
  field.form.addEventListener("submit", () => { field.type = "password"; });
}
`;
