import { CloseButton, Drawer } from "@mantine/core";
import { useId, useLayoutEffect, useRef, type ReactNode } from "react";
import { createPortal } from "react-dom";

import "../overlay/dialog-styles";
import "@mantine/core/styles/Drawer.css";
import { focusFirst } from "../overlay/focus-first";
import classes from "./form-drawer.module.css";
import { useLatest } from "../use-latest";

interface FormFrameProps {
  title: ReactNode;
  opened: boolean;
  onClose: () => void;
  /** False while something else handles Escape. */
  closeOnEscape: boolean;
  /** The form, given its header. */
  children: (header: ReactNode) => ReactNode;
  /** What opens over it. */
  over: ReactNode;
}

/** A drawer on the right; the page stays visible beside it. */
export function DrawerFrame({ title, opened, onClose, closeOnEscape, children, over }: FormFrameProps) {
  // Escape belongs to what is open over it.
  const close = () => {
    if (document.querySelectorAll("[aria-modal=true]").length < 2) onClose();
  };
  return (
    <Drawer.Root
      opened={opened}
      onClose={close}
      closeOnEscape={closeOnEscape}
      position="right"
      size="min(35rem, 100vw)"
      returnFocus={false}
      classNames={{
        overlay: classes["backdrop"] ?? "",
        content: classes["content"] ?? "",
        title: classes["title"] ?? "",
      }}
    >
      <Drawer.Overlay />
      <Drawer.Content ref={focusFirst}>
        {children(
          <div className={classes["header"]}>
            <Drawer.Title>{title}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close" />
          </div>,
        )}
      </Drawer.Content>
      {over}
    </Drawer.Root>
  );
}

const screenBehind = () => document.querySelector<HTMLElement>("main");

/**
 * A page of its own, for a form with more than a column of fields: takes the place of the screen it was opened from,
 * which keeps its state behind it, while navigation and header stay in reach.
 */
export function PageFrame({ title, opened, onClose, closeOnEscape, children, over }: FormFrameProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  // Before the form is painted: the first letter belongs to its first field.
  useLayoutEffect(() => {
    if (!opened) return;
    const first = frame.current?.querySelector<HTMLElement>("[data-autofocus]");
    (first ?? frame.current?.querySelector("h1"))?.focus();
    const main = screenBehind();
    if (main) main.inert = true;
  }, [opened]);
  // Before the focus returns to the screen.
  useLayoutEffect(
    () => () => {
      const main = screenBehind();
      if (main) main.inert = false;
    },
    [opened],
  );
  const escape = useLatest(closeOnEscape ? onClose : undefined);
  useLayoutEffect(() => {
    if (!opened) return;
    const onKeyDown = ({ key, target, defaultPrevented }: KeyboardEvent) => {
      // The focus is nowhere after a click beside the fields.
      const own =
        target === document.body || (target instanceof Node && frame.current?.contains(target) === true);
      if (key === "Escape" && own && !defaultPrevented) escape.current?.();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [opened, escape]);
  if (!opened) return null;
  return (
    <>
      {createPortal(
        <div ref={frame} role="dialog" aria-labelledby={id} className={classes["page"]}>
          {children(
            <div className={classes["header"]}>
              <h1 id={id} tabIndex={-1} className={classes["title"]}>
                {title}
              </h1>
              <CloseButton aria-label="Close" onClick={onClose} />
            </div>,
          )}
        </div>,
        screenBehind()?.parentElement ?? document.body,
      )}
      {over}
    </>
  );
}
