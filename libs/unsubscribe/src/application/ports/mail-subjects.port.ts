/** Reads the subject of mail from outside. */
export abstract class MailSubjects {
  /** Decoded, without line breaks. Empty if there is none that can be read. Never throws for any content. */
  abstract of(content: Uint8Array): string;
}
