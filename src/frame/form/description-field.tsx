import type { ReactNode } from "react";

import { TextAreaField } from "~/ui/form/fields";

/** The description of what everyone with access sees; it has room for two lines. */
export const DescriptionField = (): ReactNode => (
  <TextAreaField
    name="description"
    label="Description"
    rows={2}
    hint="Shown to everyone with access. Optional."
  />
);
