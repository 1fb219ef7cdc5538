import PostalMime from 'postal-mime';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { OwnedDomains } from '#domains';
import { newId } from '#kernel';
import { dkimpy } from '../servers/dkimpy.js';
import { testSender } from './program.js';
import { RecordingProgram, startRecordingProgram } from './recording-program.js';
import { SmtpDialogue } from '../clients/smtp-dialogue.js';
import { until } from '../runner/until.js';

export const publicUrl = 'https://mail.acme.test';

/** What one recipient got: the bytes, the header fields, the html, and what an outside verifier says of the signature. */
export interface ReceivedCopy {
  readonly headers: ReadonlyMap<string, string>;
  readonly content: Uint8Array;
  readonly html: string;
  readonly text: string;
  readonly dkim: { readonly result: string; readonly signedFields: readonly string[] };
  /** The path of the https link of List-Unsubscribe. */
  readonly path: string;
  /** The address and the subject of the mailto link. */
  readonly mailto: { readonly address: string; readonly subject: string };
}

/** A program whose mail is kept, with a listener for mail from other servers. */
export class UnsubscribeProgram {
  private constructor(readonly program: RecordingProgram) {}

  static async start(): Promise<UnsubscribeProgram> {
    return new UnsubscribeProgram(
      await startRecordingProgram({
        SMTP_LISTEN: '127.0.0.1:0+mx',
        HOST_NAME: 'mail.service.test',
        PUBLIC_URL: publicUrl,
      }),
    );
  }

  /** Sends an email with these fields. Returns its id. */
  async send(fields: object): Promise<string> {
    const subject = `Subject ${newId()}`;
    const email = { from: testSender, to: 'ada@sink.test', subject, html: '<p>Hi</p>', ...fields };
    const { data, error } = await this.program.resend.emails.send(email);
    if (error !== null) throw new Error(error.message);
    return data?.id ?? '';
  }

  async received(id: string, recipient = 'ada@sink.test'): Promise<ReceivedCopy> {
    const { content } = await until(() =>
      this.program.transport.delivered.find((one) => one.emailId === id && one.recipients.includes(recipient)),
    );
    const parsed = await PostalMime.parse(content);
    const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]));
    const list = headers.get('list-unsubscribe') ?? '';
    const [, path = ''] = /<https:\/\/mail\.acme\.test([^>\s]+)>/.exec(list) ?? [];
    const [, address = '', subject = ''] = /<mailto:([^?>]+)\?subject=([^>]+)>/.exec(list) ?? [];
    return {
      headers,
      content,
      html: parsed.html ?? '',
      text: parsed.text ?? '',
      dkim: await this.verified(Buffer.from(content)),
      path,
      mailto: { address, subject: decodeURIComponent(subject) },
    };
  }

  /** Opens or posts to a link as a browser or a mail program does: without an API key and without cookies. */
  visit(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.program.url}${path}`, { redirect: 'manual', ...init });
  }

  post(path: string, fields: Record<string, string> | [string, string][]): Promise<Response> {
    return this.visit(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Sends a mail as another mail server does. Resolves to the last reply. */
  async mail(recipient: string, message: string): Promise<string> {
    const port = this.program.postrider.smtp.listening.find(({ isMx }) => isMx)?.port ?? 0;
    const client = await SmtpDialogue.open(port);
    try {
      for (const command of ['EHLO mx.sink.test', 'MAIL FROM:<ada@sink.test>', `RCPT TO:<${recipient}>`, 'DATA']) {
        const reply = await client.ask(command);
        if (/^5/.test(reply)) return reply;
      }
      client.send(`${message.replaceAll('\n', '\r\n')}\r\n.\r\n`);
      return await client.reply();
    } finally {
      client.drop();
    }
  }

  /** The verdict of dkimpy on the first signature, and the fields that it covers. Undefined if it is not installed. */
  async verifiedByDkimpy(content: Uint8Array): Promise<[passed: boolean, signedFields: string[]] | undefined> {
    if (dkimpy === undefined) return undefined;
    const text = Buffer.from(content).toString('latin1');
    const [signature = ''] = /^DKIM-Signature:[^]*?(?=\r\n\S)/im.exec(text) ?? [];
    const tag = (name: string): string =>
      new RegExp(`[ ;]${name}=([^;]+);`).exec(signature.replace(/\s+/g, ' '))?.[1]?.trim() ?? '';
    const record = await this.program.postrider.app.get(OwnedDomains).dkimRecord(tag('s'), tag('d'));
    return dkimpy.verifyDkim(content, { [`${tag('s')}._domainkey.${tag('d')}`]: record ?? '' });
  }

  private async verified(content: Buffer): Promise<ReceivedCopy['dkim']> {
    const keys = this.program.postrider.app.get(OwnedDomains);
    const resolver = async (name: string): Promise<string[][]> => {
      const [, selector = '', domain = ''] = /^(.+)\._domainkey\.(.+)$/.exec(name) ?? [];
      return [[(await keys.dkimRecord(selector, domain)) ?? '']];
    };
    const { results } = await dkimVerify(content, { resolver });
    const [signature = ''] = /^DKIM-Signature:[^]*?(?=\r\n\S)/im.exec(content.toString('latin1')) ?? [];
    const [, fields = ''] = /\bh=([^;]+);/.exec(signature.replace(/\s+/g, '')) ?? [];
    return { result: results[0]?.status.result ?? 'none', signedFields: fields.toLowerCase().split(':') };
  }
}
