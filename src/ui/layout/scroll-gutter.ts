/** Tells the stylesheets how much room a thin scroll bar takes, which they cannot know. */
export function measureGutter(): void {
  const probe = document.createElement("div");
  probe.className = "pc-scroll-probe";
  document.body.append(probe);
  document.documentElement.style.setProperty("--pc-gutter", `${probe.offsetWidth - probe.clientWidth}px`);
  probe.remove();
}
