import { BotIcon, PackageIcon, UserIcon } from "lucide-react";
import type { ReactNode } from "react";

import { ReviewBadge } from "~/domains/vulnerabilities/advisories/review-badge";
import { RatingBadge } from "~/domains/vulnerabilities/advisories/severity-view";
import { StatusBadge } from "~/domains/vulnerabilities/advisories/status-badge";
import { STATUSES } from "~/domains/vulnerabilities/advisories/verdict";
import { RoleBadge } from "~/domains/access/roles/role-badge";
import { RoleLink } from "~/domains/access/roles/role-link";
import { ActionButton } from "~/ui/controls/action-button";
import { Badge, type BadgeTone } from "~/ui/display/badge";
import { Code } from "~/ui/display/code";
import { DefinitionList } from "~/ui/display/definition-list";
import { ExpiryBadge } from "~/ui/display/expiry";
import { FactTable } from "~/ui/display/fact-table";
import { RawJson } from "~/ui/display/json-document";
import { Kind } from "~/ui/display/kind";
import { Section } from "~/ui/display/section";
import { State } from "~/ui/display/state";
import { Time } from "~/ui/display/time";
import { Uid } from "~/ui/display/uid";
import { Breadcrumbs } from "~/ui/layout/breadcrumbs";
import { PageHeader } from "~/ui/layout/page";
import { Tabs } from "~/ui/layout/tabs";

import classes from "./gallery.module.css";
import { DIGEST, HOSTILE, LONG, RTL, UID } from "./names";
import { Specimen } from "./specimen";

const TONES: readonly BadgeTone[] = ["quiet", "neutral", "strong", "accent", "success", "warning", "danger"];
const STATES = ["success", "warning", "danger", "neutral", "none"] as const;
const RATED = [
  { word: "Critical", tone: "critical", score: 9.8 },
  { word: "High", tone: "high", score: 7.5 },
  { word: "Medium", tone: "medium", score: 5.3 },
  { word: "Low", tone: "low", score: 2.1 },
  { word: "None", tone: "neutral", score: 0 },
] as const;
const REVIEWS = ["REVIEW_STATE_PENDING", "REVIEW_STATE_REQUEST_CHANGES", "REVIEW_STATE_REJECTED"];
const HOME = { to: "/" };
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

/** What the page of a record is made of: path, head, tabs, facts, sections; and every badge. */
export const Records = (): ReactNode => (
  <>
    <Specimen title="Badges by tone" use="A kind, or a state that is not the normal one.">
      <div className={classes["row"]}>
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
    </Specimen>
    <Specimen title="Severity" use="Told apart by word and bars; its colors are used for nothing else.">
      <div className={classes["row"]}>
        {RATED.map((rated) => (
          <RatingBadge key={rated.word} of={{ ...rated, version: "3.1" }} />
        ))}
        <RatingBadge of={undefined} />
      </div>
    </Specimen>
    <Specimen title="Advisory status, review">
      <div className={classes["row"]}>
        {STATUSES.map((status) => (
          <StatusBadge key={status} of={status} />
        ))}
        {REVIEWS.map((review) => (
          <ReviewBadge key={review} of={review} />
        ))}
      </div>
    </Specimen>
    <Specimen title="Roles">
      <div className={classes["row"]}>
        <RoleBadge name="owner" />
        <RoleBadge name="viewer" />
        <RoleLink uid={UID} name="editor" />
        {HOSTILE.map((name) => (
          <RoleBadge key={name} name={name} />
        ))}
      </div>
    </Specimen>
    <Specimen title="Expiry">
      <div className={classes["row"]}>
        <ExpiryBadge value="2020-01-01T00:00:00Z" />
        <ExpiryBadge value={TOMORROW} soon={7} />
      </div>
    </Specimen>
    <Specimen title="State" use="The normal state of most rows: a dot and a word.">
      <div className={classes["row"]}>
        {STATES.map((tone) => (
          <State key={tone} tone={tone}>
            {tone}
          </State>
        ))}
      </div>
    </Specimen>
    <Specimen title="Kind" use="In rows; on the page of the record it is a quiet badge.">
      <div className={classes["row"]}>
        <Kind icon={UserIcon}>Person</Kind>
        <Kind icon={BotIcon}>Machine</Kind>
      </div>
    </Specimen>
    <Specimen title="Breadcrumbs: short, long">
      <Breadcrumbs label="Short path" items={[{ label: "Acme", link: HOME }, { label: "ci" }]} />
      <Breadcrumbs
        label="Long path"
        items={["Acme", RTL, "platform", "data", "services", LONG, "python"].map((label) => ({
          label,
          link: HOME,
        }))}
      />
    </Specimen>
    <Specimen title="Header of a record, with a long name and a disabled action">
      <PageHeader
        icon={PackageIcon}
        title={LONG}
        badges={<Badge tone="quiet">Application</Badge>}
        meta={<Uid value={UID} />}
        actions={
          <ActionButton reason="You need permission to create tags (tag.create)" onClick={() => undefined}>
            Create tag
          </ActionButton>
        }
      />
    </Specimen>
    <Specimen title="Tabs">
      <Tabs
        label="Pages of a repo"
        current="Tags"
        tabs={[
          { label: "Overview", link: HOME },
          { label: "Tags", link: HOME, count: 2_002 },
          { label: "Who has access", link: HOME },
        ]}
      />
    </Specimen>
    <Specimen
      title="DefinitionList"
      use="Facts of a record: most asked first, times last. A button copies each that has none of its own: on hover, by touch, and by arrow keys from the first."
    >
      <DefinitionList
        items={[
          { term: "Digest", value: <Code value={DIGEST} what="digest" />, wide: true },
          { term: "Name", value: <bdi>{LONG}</bdi> },
          { term: "Team", value: <bdi>{RTL}</bdi> },
          { term: "Not set", value: undefined },
          { term: "State", value: <State tone="success">Active</State> },
          { term: "Updated", value: <Time value="2026-11-20T10:00:00Z" /> },
        ]}
      />
    </Specimen>
    <Specimen title="Section with a table, and an empty one">
      <Section title="Architectures" count={2} description="Compressed size, including config.">
        <FactTable
          caption="Architectures"
          head={["Architecture", "Size"]}
          rows={[
            ["linux/amd64", "12.4 MB"],
            [LONG, ""],
          ]}
        />
      </Section>
      <Section title="Also tagged" count={0}>
        <p>No other tags of this image.</p>
      </Section>
    </Specimen>
    <Specimen title="Raw API response">
      <RawJson value={{ uid: UID, name: LONG, team: RTL }} />
    </Specimen>
  </>
);
