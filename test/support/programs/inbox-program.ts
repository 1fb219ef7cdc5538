import { Database } from '#postgres/database';
import { until } from '../runner/until.js';
import { InboundProgram } from './inbound-program.js';

export const inboxAddress = 'support@acme.test';

export interface FiledMail {
  readonly threadId: string;
  readonly emailId: string;
}

/** A program that receives mail, with an inbox. */
export class InboxProgram {
  private constructor(
    readonly inbound: InboundProgram,
    readonly inboxId: string,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<InboxProgram> {
    const inbound = await InboundProgram.start(environment);
    const { data, error } = await inbound.resend.inboxes.create({
      emailAddress: inboxAddress,
      fromName: 'Support, Acme',
    });
    if (error !== null) throw new Error(error.message);
    return new InboxProgram(inbound, data.id);
  }

  get resend(): InboundProgram['resend'] {
    return this.inbound.resend;
  }

  rows<Row extends object>(text: string, values: unknown[] = []): Promise<readonly Row[]> {
    return this.inbound.program.postrider.app.get(Database, { strict: false }).query<never>({ text, values });
  }

  /** Sends a request of which the body is JSON. */
  async ask(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
    const response = await this.inbound.program.request(`/inboxes/${encodeURIComponent(inboxAddress)}${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Receives a message, and waits until it is in a thread. */
  async filed(message: string, to: string | readonly string[] = inboxAddress): Promise<FiledMail> {
    const emailId = await this.inbound.received(message, { to });
    return until(async () => {
      const [filed] = await this.rows<FiledMail>(
        'SELECT thread_id AS "threadId", id AS "emailId" FROM inbox_emails WHERE id = $1 ORDER BY inbox_id LIMIT 1',
        [emailId],
      );
      return filed;
    });
  }

  stop(): Promise<void> {
    return this.inbound.stop();
  }
}
