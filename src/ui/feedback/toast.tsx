import { onFirstUse } from "../on-first-interaction";

const Toasts = onFirstUse(async () => (await import("./toasts")).Toasts);

/** The region of `toast()`: a polite status, mounted before its code loads. Once, at the root of the app. */
export function ToastRegion() {
  return (
    <div role="status" aria-label="Notifications">
      <Toasts />
    </div>
  );
}
