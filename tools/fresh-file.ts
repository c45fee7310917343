import { vi } from "vitest";

// Test files share a worker, and with it the loaded packages. They must share nothing else: neither the state of our
// own modules ("the service is down") nor what the previous file left in the document.
vi.resetModules();
if (typeof document !== "undefined") {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
}
