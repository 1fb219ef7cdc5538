import { buffer } from 'node:stream/consumers';
import type { Readable } from 'node:stream';

interface Mail {
  readonly data: Readonly<Record<string, unknown>>;
  readonly message: {
    getEnvelope(): { readonly from: string; readonly to: readonly string[] };
    createReadStream(): Readable;
  };
}

interface Options {
  /** The reply that refuses a recipient. */
  readonly replyTo: (recipient: string) => string | undefined;
  readonly arrived: (message: {
    readonly mailFrom: string;
    readonly recipients: readonly string[];
    readonly content: Uint8Array;
  }) => void;
  /** A field that the transport asks for, as those do that make a message of their own. */
  readonly readsField?: string;
  /** An error in place of an answer. */
  readonly fails?: Error;
}

/** A transport as people write them for Nodemailer: a function that returns an object. */
const transport = (options: Options): unknown => ({
  name: 'test',
  version: '1',
  send: (mail: Mail, done: (error: unknown, info?: unknown) => void): void => {
    if (options.readsField !== undefined && mail.data[options.readsField] === undefined) return done(null, {});
    if (options.fails !== undefined) return done(options.fails);
    deliver(mail, options).then((info) => done(null, info), done);
  },
});

async function deliver({ message }: Mail, { replyTo, arrived }: Options): Promise<unknown> {
  const { from, to } = message.getEnvelope();
  const rejectedErrors = to.flatMap((recipient) => {
    const response = replyTo(recipient);
    return response === undefined
      ? []
      : [Object.assign(new Error('refused'), { recipient, response, responseCode: Number(response.slice(0, 3)) })];
  });
  const rejected = rejectedErrors.map(({ recipient }) => recipient);
  const recipients = to.filter((recipient) => !rejected.includes(recipient));
  if (recipients.length > 0) {
    arrived({ mailFrom: from, recipients, content: await buffer(message.createReadStream()) });
  }
  return { accepted: recipients, rejected, rejectedErrors, response: '250 2.0.0 Taken' };
}

export default transport;
