import type { ReactNode } from "react";

import type { TermsDocument } from "platform-contract/iam/terms";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";

import { termsScreens } from "./data";
import { DeleteTerms } from "./delete";
import { TermsForm } from "./form";

export const TermsDrawers = (props: DrawersProps<TermsDocument>): ReactNode => (
  <Drawers {...props} of={termsScreens} form={TermsForm} remove={DeleteTerms} />
);
