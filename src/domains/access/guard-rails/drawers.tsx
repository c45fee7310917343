import type { ReactNode } from "react";

import type { GuardRail } from "platform-contract/iam/guard-rails";
import { Drawers, type DrawersProps } from "~/frame/form/drawers";
import { RecordLoader } from "~/frame/form/record-loader";

import { guardRailScreens } from "./data";
import { ExceptForm } from "./except-form";
import { GuardRailForm } from "./form";

export function GuardRailDrawers(props: DrawersProps<GuardRail>): ReactNode {
  const { drawer, item, onClose } = props;
  if (drawer !== "except") return <Drawers {...props} of={guardRailScreens} form={GuardRailForm} />;
  return (
    <RecordLoader noun="guard rail" uid={item} query={guardRailScreens.record} onClose={onClose}>
      {(rail) => <ExceptForm rail={rail} onClose={onClose} />}
    </RecordLoader>
  );
}
