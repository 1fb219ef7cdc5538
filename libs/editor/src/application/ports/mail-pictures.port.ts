/**
 * Pictures in mail that the service draws itself, as PNG. `client` is the address of who asks: the networks of clients take turns, and
 * a picture whose turn does not come in time is refused.
 */
export abstract class MailPictures {
  /** `name` is `network-look`. Undefined if there is no such icon. */
  abstract icon(name: string): Promise<Uint8Array | undefined>;

  /** `name` is `picture-hue`. Undefined if there is no such illustration. */
  abstract illustration(name: string, client: string): Promise<Uint8Array | undefined>;

  /** What the addresses of illustrations start with; `name.png` follows. */
  abstract get illustrationsUrl(): string;

  /** The time that is left now. Undefined for a name that this service has not made. */
  abstract countdown(name: string, client: string): Promise<Uint8Array | undefined>;
}
