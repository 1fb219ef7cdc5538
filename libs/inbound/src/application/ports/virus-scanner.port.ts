import { VirusVerdict } from '../../domain/verdicts.js';
import { ScannedMessage } from './spam-scorer.port.js';

/** Looks for viruses. Never throws, and ends within thirty seconds: `unscanned` where the scanner is away. */
export abstract class VirusScanner {
  /** Null where no scanner is configured. */
  abstract scan(message: ScannedMessage): Promise<VirusVerdict | null>;
}

/** Where no scanner is configured. */
export class NoVirusScanner extends VirusScanner {
  async scan(): Promise<null> {
    return null;
  }
}
