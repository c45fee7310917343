import { vi } from "vitest";

// Files of tests share a worker, and with it the packages that are loaded. Nothing may depend on what else they share: what
// our own modules remember ("the service is down"), and what the file before has left in the document.
vi.resetModules();
if (typeof document !== "undefined") {
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
}
