import { NativeSelect } from "@mantine/core";
import { useRouteContext } from "@tanstack/react-router";
import { SlidersHorizontalIcon } from "lucide-react";
import { useSyncExternalStore, type ReactNode } from "react";
import "@mantine/core/styles/Input.css";

import { MailSettings } from "~/domains/access/endings/mail-settings";
import { useCleanAddress } from "~/frame/clean-address";
import { useTitle } from "~/frame/scope/title";
import { ASK_FIRST } from "~/frame/undo/ask-first";
import { Segmented } from "~/ui/controls/segmented";
import { Section } from "~/ui/display/section";
import { LOCAL_TIMES } from "~/ui/display/time-text";
import { ColorSchemeSwitch } from "~/ui/layout/color-scheme";
import { Page, PageHeader } from "~/ui/layout/page";
import { readPreference, subscribePreferences, writePreference } from "~/ui/preferences";
import { DENSITY } from "~/ui/table/use-columns";

import { DOMAINS } from "../screens";
import { AboutYou } from "./about-you";
import styles from "./preferences.module.css";
import { START_PAGE } from "./start-page";
import { useAccountPages } from "~/frame/account-pages";

/** A preference of this person in this browser; null if it is the default. */
function usePreference(name: string) {
  const value = useSyncExternalStore(subscribePreferences, () => readPreference(name));
  return [value, (next: string | null) => writePreference(name, next)] as const;
}

/** The browser's time zone: "Europe/Berlin". */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

const Row = (props: { readonly name: string; readonly hint?: string; readonly children: ReactNode }) => (
  <div className={styles["row"]}>
    <div className={styles["words"]}>
      <p className={styles["name"]}>{props.name}</p>
      {props.hint === undefined ? null : <p className={styles["hint"]}>{props.hint}</p>}
    </div>
    {props.children}
  </div>
);

/** How the console looks and behaves for this person in this browser, and what others see of them. */
export function PreferencesPage(): ReactNode {
  useCleanAddress(Object);
  useTitle("Preferences");
  const [density, setDensity] = usePreference(DENSITY);
  const [times, setTimes] = usePreference(LOCAL_TIMES);
  const [asks, setAsks] = usePreference(ASK_FIRST);
  const [start, setStart] = usePreference(START_PAGE);
  const { config } = useRouteContext({ from: "__root__" });
  const accountPages = useAccountPages();
  return (
    <Page>
      <PageHeader
        icon={SlidersHorizontalIcon}
        title="Preferences"
        description="How the console looks and behaves in this browser, and what others see about you."
      />
      <Section title="Appearance">
        <div>
          <Row name="Color scheme">
            <ColorSchemeSwitch />
          </Row>
          <Row name="Rows of lists" hint="Compact rows are 32 px high instead of 40.">
            <Segmented
              label="Rows of lists"
              value={density === "compact" ? "compact" : "comfortable"}
              options={[
                { value: "comfortable", label: "Comfortable" },
                { value: "compact", label: "Compact" },
              ]}
              onChange={setDensity}
            />
          </Row>
          <Row name="Exact times" hint="Shown beside ages such as 3 hours ago, and used in files and copies.">
            <Segmented
              label="Exact times"
              value={times === null ? "utc" : "local"}
              options={[
                { value: "utc", label: "UTC" },
                { value: "local", label: `Local (${ZONE})` },
              ]}
              onChange={(value) => setTimes(value === "utc" ? null : "yes")}
            />
          </Row>
        </div>
      </Section>
      <Section title="Behavior">
        <div>
          <Row name="Start page" hint="Opens when you enter the console without a longer address.">
            <NativeSelect
              aria-label="Start page"
              value={start ?? ""}
              onChange={({ currentTarget }) => setStart(currentTarget.value || null)}
              data={[
                { value: "", label: "Overview" },
                ...DOMAINS.flatMap(({ screens }) => screens.map(({ to, label }) => ({ value: to, label }))),
              ]}
            />
          </Row>
          <Row
            name="Deletions"
            hint="Deleting one record can be undone for a few seconds, or is confirmed first. Removing access is always confirmed."
          >
            <Segmented
              label="Deletions"
              value={asks === null ? "undo" : "ask"}
              options={[
                { value: "undo", label: "Undo after" },
                { value: "ask", label: "Ask before" },
              ]}
              onChange={(value) => setAsks(value === "undo" ? null : "yes")}
            />
          </Row>
        </div>
      </Section>
      {config.notices ? (
        <Section
          title="Mail about what ends"
          description="30 days, 7 days and one day before something of yours ends. Kept by the service."
        >
          <MailSettings accountPages={config.mail ? accountPages : undefined} />
        </Section>
      ) : null}
      <Section title="About you" description="Kept by the service.">
        <AboutYou />
      </Section>
    </Page>
  );
}
