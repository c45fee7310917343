type Package = typeof import("oidc-provider");

const REMARK = "oidc-provider WARNING: Unsupported runtime";

/** Returns the oidc-provider package; import its values only through here. */
export async function loadPackage(): Promise<Package> {
  // The provider runs on Node 20 but logs that it is unsupported on every start. Suppresses only that warning.
  const { warn } = console;
  console.warn = (...parts: unknown[]) => {
    if (!String(parts[0]).includes(REMARK)) warn(...parts);
  };
  try {
    return await import("oidc-provider");
  } finally {
    console.warn = warn;
  }
}
