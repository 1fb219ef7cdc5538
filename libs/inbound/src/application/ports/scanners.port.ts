import { SendingServer } from '../../domain/received-email.js';
import { SpamVerdict, VirusVerdict } from '../../domain/verdicts.js';

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
 * Rates messages. Never throws, and ends within ten seconds: null if there is no rating, because the scorer is away or
 * does not take messages of this size. Mail is then accepted without one.
 */
export abstract class SpamScorer {
  abstract score(message: ScannedMessage): Promise<SpamVerdict | null>;
}

/** Stands in if no scorer is configured. */
export class NoSpamScorer extends SpamScorer {
  async score(): Promise<null> {
    return null;
  }
}

/** Looks for viruses. Never throws, and ends within thirty seconds: `unscanned` if the scanner is away. */
export abstract class VirusScanner {
  /** Null if no scanner is configured. */
  abstract scan(message: ScannedMessage): Promise<VirusVerdict | null>;
}

/** Stands in if no scanner is configured. */
export class NoVirusScanner extends VirusScanner {
  async scan(): Promise<null> {
    return null;
  }
}
