type Package = typeof import("oidc-provider");

const REMARK = "oidc-provider WARNING: Unsupported runtime";

async function load(): Promise<Package> {
  // The provider runs on Node 20 but calls it unsupported, on every start and to the terminal. That line alone is
  // kept back; whatever else it has to say while it loads is heard.
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

let loaded: Promise<Package> | undefined;

/** The oidc-provider package; import its values only through here. */
export const loadPackage = (): Promise<Package> => (loaded ??= load());
