import { onFirstUse } from "../on-first-interaction";
import { loadLayers } from "../overlay/load-layers";

const Toasts = onFirstUse(async () => (await loadLayers()).Toasts);

/** The region of `toast()`: a polite status, mounted before its code loads. Once, at the root of the app. */
export function ToastRegion() {
  return (
    <div role="status" aria-label="Notifications">
      <Toasts />
    </div>
  );
}
