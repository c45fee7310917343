import type { ReactNode } from "react";

import { fieldsBeside } from "~/ui/form/field-parts";
import { TextAreaField, TextField } from "~/ui/form/fields";
import { Disclosure } from "~/ui/form/disclosure";
import { KeyValueField } from "~/ui/form/key-value-field";
import { LinesField } from "~/ui/form/lines-field";
import { RowsField } from "~/ui/form/rows-field";

import { BLANK_DOCUMENT, BLANK_GROUP, BLANK_USER } from "./overlay-values";
import { useSetNote } from "./use-set-note";

const at = "customOverlay";

export function PackageFields(): ReactNode {
  return (
    <Disclosure title="Overlay: packages" note={useSetNote("customOverlay.contents")}>
      <LinesField
        name={`${at}.contents.packages`}
        label="Packages"
        hint="Added to the images on every rebuild, one per line."
      />
      <LinesField
        name={`${at}.contents.runtimeRepositories`}
        label="Package sources"
        hint="Addresses that replace the default ones in the images, one per line."
      />
      <RowsField
        name={`${at}.contents.runtimeKeyring`}
        label="Package keys"
        one="key"
        hint="Public keys that verify packages from these sources."
        blank={BLANK_DOCUMENT}
      >
        {(row) => <DocumentFields row={row} content="Public key" hint="PEM: -----BEGIN PUBLIC KEY-----" />}
      </RowsField>
    </Disclosure>
  );
}

export function VariableFields(): ReactNode {
  return (
    <Disclosure
      title="Overlay: environment and annotations"
      note={useSetNote("customOverlay.environment", "customOverlay.annotations")}
    >
      <KeyValueField
        name={`${at}.environment`}
        label="Environment"
        keyLabel="Variable"
        addLabel="Add variable"
        hint="Variables with reserved prefixes are set by the platform."
      />
      <KeyValueField
        name={`${at}.annotations`}
        label="Annotations"
        addLabel="Add annotation"
        hint="Annotations with reserved prefixes are set by the platform."
      />
    </Disclosure>
  );
}

export function AccountFields(): ReactNode {
  return (
    <Disclosure title="Overlay: accounts" note={useSetNote("customOverlay.accounts")}>
      <TextField
        name={`${at}.accounts.runAs`}
        label="Run as"
        code
        hint="The user that the image runs as, by name or ID."
      />
      <RowsField name={`${at}.accounts.users`} label="Users" one="user" blank={BLANK_USER}>
        {(row) => (
          <>
            <TextField name={`${row}.username`} label="User name" required code />
            <div className={fieldsBeside}>
              <TextField name={`${row}.uid`} label="User ID" code />
              <TextField name={`${row}.gid`} label="Group ID" code />
            </div>
            <TextField name={`${row}.groupName`} label="Group name" code />
            <div className={fieldsBeside}>
              <TextField name={`${row}.shell`} label="Shell" code />
              <TextField name={`${row}.homeDir`} label="Home directory" code />
            </div>
          </>
        )}
      </RowsField>
      <RowsField name={`${at}.accounts.groups`} label="Groups" one="group" blank={BLANK_GROUP}>
        {(row) => (
          <>
            <div className={fieldsBeside}>
              <TextField name={`${row}.groupname`} label="Group name" required code />
              <TextField name={`${row}.gid`} label="Group ID" code />
            </div>
            <LinesField name={`${row}.members`} label="Members" rows={2} hint="User names, one per line." />
          </>
        )}
      </RowsField>
    </Disclosure>
  );
}

export function CertificateFields(): ReactNode {
  return (
    <Disclosure title="Overlay: certificates" note={useSetNote("customOverlay.certificates")}>
      <RowsField
        name={`${at}.certificates.additional`}
        label="Certificates"
        one="certificate"
        blank={BLANK_DOCUMENT}
      >
        {(row) => <DocumentFields row={row} content="Certificate" hint="PEM: -----BEGIN CERTIFICATE-----" />}
      </RowsField>
      <LinesField
        name={`${at}.certificates.providers`}
        label="Certificate packages"
        hint="Packages that contain certificates, one per line."
      />
    </Disclosure>
  );
}

function DocumentFields(props: { row: string; content: string; hint: string }): ReactNode {
  const { row, content, hint } = props;
  return (
    <>
      <TextField name={`${row}.name`} label="File name" required code />
      <TextAreaField name={`${row}.content`} label={content} required code rows={5} hint={hint} />
    </>
  );
}
