import { MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { refusalFor } from '../domain/refusal-policy.js';
import { Verdicts } from '../domain/verdicts.js';
import { ContentSpool, SpooledContent } from './ports/content-spool.port.js';
import { ArrivedFacts, MessageOrigin, PendingJudgement } from './ports/message-judge.port.js';
import { ReceivingPolicy } from './ports/receiving-policy.port.js';
import { SpamScorer } from './ports/spam-scorer.port.js';
import { VirusScanner } from './ports/virus-scanner.port.js';

export interface JudgedArrival {
  readonly facts: ArrivedFacts;
  readonly verdicts: Verdicts;
}

/** Judges a message that has arrived, before its sender gets the reply: later, a refusal would be a bounce to a stranger. */
@Injectable()
export class JudgeArrival {
  constructor(
    private readonly spool: ContentSpool,
    private readonly spamScorer: SpamScorer,
    private readonly virusScanner: VirusScanner,
    private readonly policy: ReceivingPolicy,
  ) {}

  /** Throws the refusal of a message that must not be accepted. */
  async execute(
    pending: PendingJudgement,
    content: SpooledContent,
    origin: MessageOrigin,
    recipients: readonly string[],
  ): Promise<JudgedArrival> {
    const { id, size } = content;
    const { client, mailFrom, network } = origin;
    const scanned = { id, client, mailFrom, recipients, size, read: () => this.spool.read(content) };
    const [judged, spam, virus] = await Promise.all([
      this.judged(pending, content, network),
      this.spamScorer.score(scanned),
      this.virusScanner.scan(scanned),
    ]);
    const verdicts: Verdicts = { ...judged.verdicts, spam, virus };
    const refusal = refusalFor(verdicts, this.policy.refusals);
    if (refusal !== undefined) throw new MailRefusal(550, refusal.enhancedCode, refusal.text);
    return { facts: judged.facts, verdicts };
  }

  private async judged(
    pending: PendingJudgement,
    content: SpooledContent,
    network: string,
  ): ReturnType<PendingJudgement['finish']> {
    const loaded = await this.spool.load(content, network);
    try {
      return await pending.finish(content.id, loaded.bytes);
    } finally {
      loaded.release();
    }
  }
}
