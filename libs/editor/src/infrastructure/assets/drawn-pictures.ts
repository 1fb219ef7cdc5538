import { clientNetwork, Clock, DomainError, FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { MailPictures } from '../../application/ports/mail-pictures.port.js';
import { CountdownLook } from './asset-addresses.js';
import { countdownPicture } from './countdown-picture.js';
import { Illustrations } from './illustrations/illustrations.js';
import { SignedAssetLinks } from './signed-asset-links.js';
import { SocialIcons } from './social-icons.js';

/** A countdown is drawn once for all who open the mail within this time. */
const drawnMs = 30_000;
const maxDrawn = 200;
/** How long a picture waits for its turn. A mail program would not wait much longer. */
const maxWaitMs = 5_000;

class PicturesBusyError extends DomainError {
  constructor() {
    super('unavailable', 'service_unavailable', 'Too many pictures are being drawn. Please try again later.');
  }
}

/**
 * Pictures that are drawn when they are first asked for. Nobody who asks needs a key, and one document has thousands of
 * countdowns, so that the networks of clients take turns.
 */
@Injectable()
export class DrawnPictures extends MailPictures {
  private readonly icons = new SocialIcons();
  private readonly illustrations = new Illustrations();
  private readonly countdowns = new Map<string, { readonly at: number; readonly picture: Uint8Array }>();
  /** Drawing takes a thread of those that sign mail, so one picture is drawn at a time. */
  private readonly turns = new FairBudget({ total: 1, maxPerOwner: 1 });

  constructor(
    private readonly links: SignedAssetLinks,
    private readonly clock: Clock,
  ) {
    super();
  }

  async icon(name: string): Promise<Uint8Array | undefined> {
    return this.icons.find(name);
  }

  async illustration(name: string, client: string): Promise<Uint8Array | undefined> {
    if (!this.illustrations.isKnown(name)) return undefined;
    return this.inTurn(client, () => this.illustrations.find(name));
  }

  get illustrationsUrl(): string {
    return this.links.illustrationsUrl;
  }

  async countdown(name: string, client: string): Promise<Uint8Array | undefined> {
    const known = this.drawnLately(name);
    if (known !== undefined) return known;
    const look = this.links.readCountdown(name);
    if (look === undefined) return undefined;
    // Who asks for a picture that somebody else waits for has a turn of their own, and does not wait in a long line.
    return this.inTurn(client, async () => this.drawnLately(name) ?? this.drawn(name, look));
  }

  private drawnLately(name: string): Uint8Array | undefined {
    const known = this.countdowns.get(name);
    return known !== undefined && this.clock.now().getTime() - known.at < drawnMs ? known.picture : undefined;
  }

  private async drawn(name: string, look: CountdownLook): Promise<Uint8Array> {
    const now = this.clock.now();
    const picture = await countdownPicture(look, now);
    this.countdowns.delete(name);
    this.countdowns.set(name, { at: now.getTime(), picture });
    const [oldest] = this.countdowns.keys();
    if (this.countdowns.size > maxDrawn && oldest !== undefined) this.countdowns.delete(oldest);
    return picture;
  }

  private inTurn(client: string, draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const patience = { maxWaitMs, refusal: () => new PicturesBusyError() };
    return this.turns.during([clientNetwork(client)], 1, draw, patience);
  }
}
