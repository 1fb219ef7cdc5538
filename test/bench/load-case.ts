import { randomUUID } from 'node:crypto';

/** One way of sending, as the requests that make it. */
export interface LoadCase {
  readonly name: string;
  readonly path: string;
  readonly emailsPerRequest: number;
  readonly body: (request: number) => string;
  readonly headers?: (request: number) => string;
}

/** A mail of about 4 KB: html and text of a receipt, different for every recipient. */
function email(index: number): object {
  const line = `Order ${index}: thank you for buying from us. Your parcel leaves the warehouse today.\n`;
  return {
    from: 'Bench <bench@sandbox.postrider.test>',
    to: [`user${index}@sink.test`],
    subject: `Receipt ${index}`,
    html: `<p>${line.repeat(24)}</p>`,
    text: line.repeat(24),
  };
}

const batchSize = 100;

const freshKey = (): string => `Idempotency-Key: ${randomUUID()}\r\n`;

export const singleSends: LoadCase = {
  name: 'single sends',
  path: '/emails',
  emailsPerRequest: 1,
  body: (request) => JSON.stringify(email(request)),
};

export const batches: LoadCase = {
  name: `batches of ${batchSize}`,
  path: '/emails/batch',
  emailsPerRequest: batchSize,
  body: (request) =>
    JSON.stringify(Array.from({ length: batchSize }, (_, index) => email(request * batchSize + index))),
};

const keyed = (loadCase: LoadCase): LoadCase => ({
  ...loadCase,
  name: `${loadCase.name} with idempotency keys`,
  headers: freshKey,
});

export const loadCases: readonly LoadCase[] = [singleSends, keyed(singleSends), batches, keyed(batches)];
