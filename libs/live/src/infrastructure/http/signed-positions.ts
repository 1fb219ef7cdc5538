import { SecretBox } from '#platform/secrets';
import { Injectable } from '@nestjs/common';
import { LivePosition, parsePosition } from '../../domain/live-event.js';

const purpose = 'live position';
/** Longer ones, with hundreds of transactions under way, are not worth resuming from. */
const maxLength = 2_000;

/** The ids of events carry a signature: all streams are read together, from the oldest position among them. */
@Injectable()
export class SignedPositions {
  private last: readonly [id: string, signed: string] = ['', ''];

  constructor(private readonly secretBox: SecretBox) {}

  /** All streams are sent the same id after a reading: it is signed once. */
  sign(id: string): string {
    if (this.last[0] !== id) this.last = [id, `${id}.${this.secretBox.sign(purpose, id)}`];
    return this.last[1];
  }

  /** Undefined for anything that this service has not signed. */
  read(signed: string | undefined): LivePosition | undefined {
    if (typeof signed !== 'string' || signed.length > maxLength) return undefined;
    const end = signed.lastIndexOf('.');
    const id = signed.slice(0, Math.max(0, end));
    return this.secretBox.verify(purpose, id, signed.slice(end + 1)) ? parsePosition(id) : undefined;
  }
}
