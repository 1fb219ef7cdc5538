import { SpamVerdict } from '../../domain/verdicts.js';
import { SendingServer } from '../../domain/received-email.js';

export interface ScannedMessage {
  readonly id: string;
  readonly client: SendingServer;
  readonly mailFrom: string;
  readonly recipients: readonly string[];
  readonly size: number;
  /** Reads the bytes. May be called again. */
  read(): AsyncIterable<Uint8Array>;
}

/**
 * Rates messages. Never throws, and ends within ten seconds: null where there is no rating, because the scorer is away or does
 * not take messages of this size. Mail is then accepted without one.
 */
export abstract class SpamScorer {
  abstract score(message: ScannedMessage): Promise<SpamVerdict | null>;
}

/** Where no scorer is configured. */
export class NoSpamScorer extends SpamScorer {
  async score(): Promise<null> {
    return null;
  }
}
