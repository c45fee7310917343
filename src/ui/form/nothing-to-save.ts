/** Thrown by a form's `onSubmit` when nothing has changed; shown as a hint, not as an error. */
export class NothingToSave extends Error {
  readonly calm = true;

  constructor() {
    super("Nothing to save. No field has changed.");
  }
}
