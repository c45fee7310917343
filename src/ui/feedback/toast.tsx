import { onFirstUse } from "../on-first-interaction";

const Toasts = onFirstUse(async () => (await import("./toasts")).Toasts);

/** Where `toast()` speaks: a polite status, there before its code. Mounted once, at the root of the app. */
export function ToastRegion() {
  return (
    <div role="status" aria-label="Notifications">
      <Toasts />
    </div>
  );
}
