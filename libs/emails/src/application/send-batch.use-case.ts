import { IdempotentRequest } from '#idempotency';
import { Principal } from '#identity';
import { DomainError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { AcceptedEmail } from '../domain/accepted-email.js';
import { Batch, BatchResponse, BatchFault, BatchItem, checkBatch } from '../domain/batch.js';
import { AcceptOnce, Prepared } from './acceptance/accept-once.js';
import { ComposeEmail } from './acceptance/compose-email.js';
import { AttachmentFetches } from './attachment-fetches.js';
import { LinkedAttachments } from './linked-attachments.js';

/** Sends several emails that become durable together. */
@Injectable()
export class SendBatch {
  constructor(
    private readonly composeEmail: ComposeEmail,
    private readonly linkedAttachments: LinkedAttachments,
    private readonly acceptOnce: AcceptOnce,
  ) {}

  /**
   * A strict batch is refused because of its first fault. A permissive batch accepts the valid emails and lists the
   * faults.
   */
  execute(principal: Principal, batch: Batch, idempotent?: IdempotentRequest): Promise<BatchResponse> {
    return this.linkedAttachments.during(principal.teamId, (fetches) =>
      this.acceptOnce.execute(principal, idempotent, () => this.prepare(principal, batch, fetches)),
    );
  }

  private async prepare(
    principal: Principal,
    batch: Batch,
    fetches: AttachmentFetches,
  ): Promise<Prepared<BatchResponse>> {
    const items = batch.items.map(async (item, index) => {
      const composed = await this.compose(principal, item, index, fetches);
      if ('fault' in composed && !batch.permissive) fetches.stop(composed.fault.error);
      return composed;
    });
    const composed = await Promise.all(items);
    const emails = composed.filter((item) => 'email' in item);
    const faults = composed.filter((item) => 'fault' in item).map(({ fault }) => fault);
    return { emails, response: checkBatch(batch, emails, faults) };
  }

  private async compose(
    principal: Principal,
    item: BatchItem,
    index: number,
    fetches: AttachmentFetches,
  ): Promise<AcceptedEmail | { readonly fault: BatchFault }> {
    try {
      if (item instanceof DomainError) throw item;
      return await this.composeEmail.execute(principal, item, fetches);
    } catch (error) {
      if (error instanceof DomainError) return { fault: { index, error } };
      throw error;
    }
  }
}
