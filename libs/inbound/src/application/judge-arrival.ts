import { MailRefusal } from '#smtp';
import { Injectable } from '@nestjs/common';
import { refusalFor } from '../domain/refusal-policy.js';
import { Verdicts } from '../domain/verdicts.js';
import { ContentSpool, SpooledContent } from './ports/content-spool.port.js';
import { ArrivedFacts, MessageOrigin, PendingJudgement } from './ports/message-judge.port.js';
import { ReceivingPolicy } from './ports/receiving-policy.port.js';
import { ScanArrival } from './scan-arrival.js';

export interface JudgedArrival {
  readonly facts: ArrivedFacts;
  readonly verdicts: Verdicts;
}

/** Judges a message that has arrived, before its sender gets the reply: later, a refusal would be a bounce to a stranger. */
@Injectable()
export class JudgeArrival {
  constructor(
    private readonly spool: ContentSpool,
    private readonly scanArrival: ScanArrival,
    private readonly policy: ReceivingPolicy,
  ) {}

  /** Throws the refusal of a message that must not be accepted. */
  async execute(
    pending: PendingJudgement,
    content: SpooledContent,
    origin: MessageOrigin,
    recipients: readonly { readonly address: string; readonly teamId: string }[],
  ): Promise<JudgedArrival> {
    const { id, size } = content;
    const { client, mailFrom, network, isLocal } = origin;
    const addresses = recipients.map(({ address }) => address);
    const message = { id, client, mailFrom, recipients: addresses, size, read: () => this.spool.read(content) };
    const teams = new Set(recipients.map(({ teamId }) => `team ${teamId}`));
    const [judged, scanned] = await Promise.all([
      this.judged(pending, content, network),
      this.scanArrival.execute(message, isLocal ? [...teams] : [...teams, `network ${network}`]),
    ]);
    const verdicts: Verdicts = { ...judged.verdicts, ...scanned };
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
