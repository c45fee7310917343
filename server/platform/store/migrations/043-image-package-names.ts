import type { Migration } from "./migration";

export default {
  id: "043-image-package-names",
  statements: [
    // Which images hold a package.
    "create index image_packages_name on image_packages (name, digest)",
    "create index image_packages_origin on image_packages (origin, digest)",
  ],
} satisfies Migration;
