import { Clock, Slots } from '#kernel';
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

/** Pictures that are drawn when they are first asked for. */
@Injectable()
export class DrawnPictures extends MailPictures {
  private readonly icons = new SocialIcons();
  private readonly illustrations = new Illustrations();
  private readonly countdowns = new Map<string, { readonly at: number; readonly picture: Promise<Uint8Array> }>();
  /** Drawing takes a thread of those that sign mail, so one picture is drawn at a time. */
  private readonly turns = new Slots(1);

  constructor(
    private readonly links: SignedAssetLinks,
    private readonly clock: Clock,
  ) {
    super();
  }

  async icon(name: string): Promise<Uint8Array | undefined> {
    return this.icons.find(name);
  }

  async illustration(name: string): Promise<Uint8Array | undefined> {
    if (!this.illustrations.isKnown(name)) return undefined;
    return this.inTurn(() => this.illustrations.find(name));
  }

  get illustrationsUrl(): string {
    return this.links.illustrationsUrl;
  }

  async countdown(name: string): Promise<Uint8Array | undefined> {
    const now = this.clock.now();
    const known = this.countdowns.get(name);
    if (known !== undefined && now.getTime() - known.at < drawnMs) return known.picture;
    const look = this.links.readCountdown(name);
    if (look === undefined) return undefined;
    const picture = this.drawn(look, now);
    this.countdowns.delete(name);
    this.countdowns.set(name, { at: now.getTime(), picture });
    const [oldest] = this.countdowns.keys();
    if (this.countdowns.size > maxDrawn && oldest !== undefined) this.countdowns.delete(oldest);
    return picture;
  }

  private drawn(look: CountdownLook, now: Date): Promise<Uint8Array> {
    return this.inTurn(() => countdownPicture(look, now));
  }

  private async inTurn(draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    await this.turns.take();
    try {
      return await draw();
    } finally {
      this.turns.release();
    }
  }
}
