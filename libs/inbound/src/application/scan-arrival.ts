import { FairBudget } from '#kernel';
import { Injectable } from '@nestjs/common';
import { SpamVerdict, VirusVerdict } from '../domain/verdicts.js';
import { ReceivingPolicy } from '../domain/receiving-policy.js';
import { ScannedMessage, SpamScorer, VirusScanner } from './ports/scanners.port.js';

/** The sender waits for the reply to its message, and a scan takes ten to thirty seconds more at worst. */
const maxWaitMs = 10_000;

export interface Scanned {
  readonly spam: SpamVerdict | null;
  readonly virus: VirusVerdict | null;
}

/**
 * Asks the spam scorer and the virus scanner, each about a limited number of messages at once. The owners of the
 * messages take turns, and one of them holds half of the places at most. A message whose turn does not come in time is
 * accepted without the answer, like one whose scanner is away: a flood of mail must not keep other mail out.
 */
@Injectable()
export class ScanArrival {
  private readonly scoring: FairBudget;
  private readonly scanning: FairBudget;

  constructor(
    private readonly spamScorer: SpamScorer,
    private readonly virusScanner: VirusScanner,
    { maxScans }: ReceivingPolicy,
  ) {
    const places = { total: maxScans, maxPerOwner: Math.max(1, Math.floor(maxScans / 2)) };
    this.scoring = new FairBudget(places);
    this.scanning = new FairBudget(places);
  }

  /** Never throws. `owners`: the teams that receive the message, and the network that sends it. */
  async scan(message: ScannedMessage, owners: readonly string[]): Promise<Scanned> {
    const [spam, virus] = await Promise.all([
      inTurn(this.scoring, owners, () => this.spamScorer.score(message)),
      inTurn(this.scanning, owners, () => this.virusScanner.scan(message)),
    ]);
    return { spam: spam ?? null, virus: virus === undefined ? { result: 'unscanned' } : virus };
  }
}

/** Undefined if the turn does not come in time. */
async function inTurn<Result>(
  turns: FairBudget,
  owners: readonly string[],
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  const patience = { maxWaitMs, refusal: () => new Error('the scanner is busy') };
  const place = await turns.hold(owners, 1, patience).catch(() => undefined);
  if (place === undefined) return undefined;
  try {
    return await work();
  } finally {
    place.release();
  }
}
