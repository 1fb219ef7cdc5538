import { expect, it } from '@jest/globals';
import { newId } from '#kernel';
import { EmailTrace } from '../domain/recipient-trace.js';
import { DeliveryTraces } from './ports/delivery-traces.port.js';
import { TraceEmail } from './trace-email.query.js';

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

it('tells the story of an email to its own team alone', async () => {
  const [teamId, emailId] = [newId(), newId()];
  const trace: EmailTrace = { emailId, createdAt: new Date(), scheduledAt: null, events: [], recipients: [] };
  const traceEmail = new TraceEmail(new KeptTraces(teamId, trace));
  expect(await traceEmail.execute(teamId, emailId)).toEqual(trace);
  expect(await traceEmail.execute(newId(), emailId)).toBeUndefined();
  expect(await traceEmail.execute(teamId, newId())).toBeUndefined();
});
