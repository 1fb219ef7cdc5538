import { randomUUID } from 'node:crypto';

/** One way of sending, defined by its requests. */
export interface LoadCase {
  readonly name: string;
  readonly path: string;
  readonly emailsPerRequest: number;
  readonly body: (request: number) => string;
  readonly headers?: (request: number) => string;
}

const lineOf = (index: number): string =>
  `Order ${index}: thank you for buying from us. Your parcel leaves the warehouse today.\n`;

/** Lines in each of the two parts, html and text, of a mail of about 4 KB and about 100 KB. */
const lines = { '4 KB': 24, '100 KB': 600 };

export type EmailSize = keyof typeof lines;

/** A receipt, different for every recipient. */
function email(index: number, size: EmailSize): object {
  const text = lineOf(index).repeat(lines[size]);
  return {
    from: 'Bench <bench@sandbox.postrider.test>',
    to: [`user${index}@sink.test`],
    subject: `Receipt ${index}`,
    html: `<p>${text}</p>`,
    text,
  };
}

/** The same mail of 4 KB as a MIME message. */
export function mimeOf(index: number): string {
  const text = lineOf(index).replace('\n', '\r\n').repeat(lines['4 KB']);
  return (
    `From: Bench <bench@sandbox.postrider.test>\r\nTo: user${index}@sink.test\r\nSubject: Receipt ${index}\r\n` +
    'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="b"\r\n\r\n' +
    `--b\r\nContent-Type: text/plain\r\n\r\n${text}\r\n` +
    `--b\r\nContent-Type: text/html\r\n\r\n<p>${text}</p>\r\n--b--\r\n`
  );
}

export const singleSends = (size: EmailSize): LoadCase => ({
  name: `single sends of ${size}`,
  path: '/emails',
  emailsPerRequest: 1,
  body: (request) => JSON.stringify(email(request, size)),
});

const batchSize = 100;

export const batches: LoadCase = {
  name: `batches of ${batchSize}`,
  path: '/emails/batch',
  emailsPerRequest: batchSize,
  body: (request) =>
    JSON.stringify(Array.from({ length: batchSize }, (_, index) => email(request * batchSize + index, '4 KB'))),
};

export const withKeys = (loadCase: LoadCase): LoadCase => ({
  ...loadCase,
  name: `${loadCase.name} with idempotency keys`,
  headers: () => `Idempotency-Key: ${randomUUID()}\r\n`,
});
