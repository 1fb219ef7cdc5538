/** Reads the text of messages. */
export abstract class MessageTexts {
  /**
   * What a person would read of the message, and the names of its files. Empty where there is none, or where it cannot be read.
   * `content` may be moved to another thread. The work is charged to `owner`; throws a DomainError of kind `unavailable` where too many
   * messages wait.
   */
  abstract textOf(content: Uint8Array, owner: string): Promise<string>;
}
