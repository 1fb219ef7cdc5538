import { EmailTrace } from '../../domain/recipient-trace.js';

export abstract class DeliveryTraces {
  /** The story of the team's email, or undefined: another team's id is as unknown as one that does not exist. */
  abstract find(teamId: string, emailId: string): Promise<EmailTrace | undefined>;
}
