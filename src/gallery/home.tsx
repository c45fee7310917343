import { CirclePlusIcon, KeyRoundIcon } from "lucide-react";
import type { ReactNode } from "react";

import { ActionButton } from "~/ui/controls/action-button";
import { Tile, Tiles } from "~/ui/display/tiles";
import { Notice } from "~/ui/feedback/notice";

import classes from "./gallery.module.css";
import { LONG } from "./names";
import { Specimen } from "./specimen";

/** What the home page of a scope is made of. */
export const Home = (): ReactNode => (
  <>
    <Specimen title="Tiles" use="Figures across the page; the whole tile is the link.">
      <Tiles label="Contents">
        <Tile label="Repos" target={{ to: "/" }} count={38} />
        <Tile label="Tags" target={{ to: "/" }} count={2_002} />
        <Tile label="Invites" count={0} />
        <Tile label="Roles" count={undefined} missing="loading" />
        <Tile
          label="Identities"
          count={undefined}
          hidden="You need permission to list identities (identity.list)."
        />
        <Tile label={LONG} count={1_234_567} />
      </Tiles>
    </Specimen>
    <Specimen title="Quick actions: enabled, disabled">
      <div className={classes["row"]}>
        <ActionButton reason={undefined} onClick={() => undefined}>
          Grant access
        </ActionButton>
        <ActionButton reason="You need permission to create repos (repo.create)" onClick={() => undefined}>
          Create repo
        </ActionButton>
        <CirclePlusIcon size={16} aria-hidden />
        <KeyRoundIcon size={16} aria-hidden />
      </div>
    </Specimen>
    <Specimen title="Notice: every tone">
      {(["info", "success", "warning", "danger"] as const).map((tone) => (
        <Notice key={tone} tone={tone} title={`Notice of tone ${tone}`}>
          {LONG}
        </Notice>
      ))}
    </Specimen>
  </>
);
