import { expect, it } from '@jest/globals';
import { newId, NotFoundError } from '#kernel';
import { UnpacedSenders } from '../../../../../test/support/fakes/unpaced-senders.js';
import { DeliveryTraces } from '../../application/ports/delivery-queue.port.js';
import { EmailTrace } from '../../domain/recipient-trace.js';
import { TraceController } from './trace.controller.js';

class KeptTraces extends DeliveryTraces {
  constructor(
    private readonly teamId: string,
    private readonly trace: EmailTrace,
  ) {
    super();
  }

  async find(teamId: string, emailId: string): Promise<EmailTrace | undefined> {
    return teamId === this.teamId && emailId === this.trace.emailId ? this.trace : undefined;
  }
}

it('shows the trace of an email to its own team only', async () => {
  const [teamId, emailId] = [newId(), newId()];
  const trace: EmailTrace = { emailId, createdAt: new Date(), scheduledAt: null, events: [], recipients: [] };
  const controller = new TraceController(new KeptTraces(teamId, trace), new UnpacedSenders(), {
    now: () => new Date(),
  });
  expect(await controller.getEmailTrace(teamId, emailId)).toMatchObject({ email_id: emailId });
  await expect(controller.getEmailTrace(newId(), emailId)).rejects.toBeInstanceOf(NotFoundError);
  await expect(controller.getEmailTrace(teamId, newId())).rejects.toBeInstanceOf(NotFoundError);
});
