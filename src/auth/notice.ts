import styles from "./notice.module.css";

export interface Notice {
  readonly title: string;
  readonly message?: string;
  /** Details: the bad keys of a configuration, or the provider's message. */
  readonly lines?: readonly string[];
  readonly action?: { readonly label: string; run(): Promise<void> };
}

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string | undefined,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
};

/** Shows a page instead of the console, before there is a session. Plain DOM, because React is not loaded yet. */
export function showNotice(root: Element, product: string, notice: Notice): void {
  const { title, message, lines = [], action } = notice;
  const heading = element("h1", undefined, title);
  heading.tabIndex = -1;
  const box = element("div", styles["box"], element("p", styles["product"], product), heading);
  if (message) box.append(element("p", undefined, message));
  if (lines.length > 0)
    box.append(element("ul", styles["lines"], ...lines.map((line) => element("li", undefined, line))));
  if (action) {
    const button = element("button", undefined, action.label);
    button.type = "button";
    button.addEventListener("click", () => {
      if (button.ariaDisabled === "true") return;
      // Not `disabled`, which would lose the focus.
      button.ariaDisabled = "true";
      void action.run().finally(() => (button.ariaDisabled = "false"));
    });
    box.append(button);
  }
  document.title = `${title} · ${product}`;
  root.replaceChildren(element("main", styles["page"], box));
  // So that screen readers announce it when it replaces another page.
  heading.focus();
}
