import { EmailTrace } from '../../domain/recipient-trace.js';

export abstract class DeliveryTraces {
  /** The trace of the team's email. Undefined if the id does not exist or belongs to another team. */
  abstract find(teamId: string, emailId: string): Promise<EmailTrace | undefined>;
}
