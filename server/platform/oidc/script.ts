/** Script of the provider's pages: shows and hides a password. A file, by its exact address: the policy permits no other. */
export const script = `for (const button of document.querySelectorAll(".reveal")) {
  const field = button.previousElementSibling;
  const set = (shown) => {
    field.type = shown ? "text" : "password";
    button.firstElementChild.textContent = shown ? "Hide" : "Show";
  };
  button.hidden = false;
  button.addEventListener("click", () => set(field.type === "password"));
  // Browsers save it as a password, not as text for the next form, by the type it has when it is sent.
  field.form.addEventListener("submit", () => set(false));
}
`;
