import { createHash, createHmac } from 'node:crypto';
import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { AddressInfo } from 'node:net';

export interface S3Server {
  /** The URL in the form of `S3_URL`. */
  readonly url: string;
  readonly objects: ReadonlyMap<string, Buffer>;
  /** Number of next requests that get a 503. */
  failNext(count: number): void;
  stop(): Promise<void>;
}

const accessKey = 'AKIATEST';
const secret = 'secret/with+signs';
const region = 'test-1';
const pageSize = 2;

/** The part of S3 that the message store uses, in memory. It verifies the signature (version 4) of every request. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let failures = 0;
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (failures > 0) {
        failures--;
        return void response.writeHead(503).end();
      }
      if (!isSigned(request, body)) return void refuse(response, 403, 'SignatureDoesNotMatch');
      answer(objects, request, response, body);
    })();
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${accessKey}:${encodeURIComponent(secret)}@127.0.0.1:${port}/mail/store?region=${region}`,
    objects,
    failNext: (count) => (failures = count),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function answer(objects: Map<string, Buffer>, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? '/', 'http://s3.test');
  const [, bucket, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (bucket !== 'mail') return refuse(response, 404, 'NoSuchBucket');
  const key = rest.join('/');
  const object = objects.get(key);
  switch (request.method) {
    case 'PUT':
      objects.set(key, body);
      return void response.writeHead(200).end();
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (key === '') return void response.writeHead(200).end(listing(objects, url.searchParams));
      if (object === undefined) return refuse(response, 404, 'NoSuchKey');
      response.writeHead(200).end(object);
  }
}

function listing(objects: ReadonlyMap<string, Buffer>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
  const entries = [...new Set(keys.map((key) => entryOf(key, prefix, delimiter)))];
  const start = Number(query.get('continuation-token') ?? '0');
  const page = entries.slice(start, start + pageSize);
  const items = page.map((entry) =>
    entry.endsWith('/')
      ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${entry}</Key><Size>1</Size></Contents>`,
  );
  const end = start + pageSize;
  const next = end < entries.length ? `<NextContinuationToken>${end}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><Prefix>${prefix}</Prefix>${next}${items.join('')}</ListBucketResult>`;
}

function entryOf(key: string, prefix: string, delimiter: string | null): string {
  const cut = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
  return cut < 0 ? key : key.slice(0, cut + 1);
}

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    );
  if (given === null) return false;
  const [, key, day, signedRegion, signedHeaders, signature] = given as unknown as string[];
  const bodyHash = request.headers['x-amz-content-sha256'];
  if (key !== accessKey || signedRegion !== region || bodyHash !== sha256(body)) return false;
  const url = new URL(request.url ?? '/', 'http://s3.test');
  const query = [...url.searchParams]
    .map(([name, value]) => `${strict(name)}=${strict(value)}`)
    .sort()
    .join('&');
  const headers = (signedHeaders as string)
    .split(';')
    .map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, url.pathname, query, headers.join(''), signedHeaders, bodyHash].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  const steps = [day as string, region, 's3', 'aws4_request'];
  const signingKey = steps.reduce<Buffer>((previous, step) => hmac(previous, step), Buffer.from(`AWS4${secret}`));
  return hmac(signingKey, text).toString('hex') === signature;
}

function strict(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status).end(`<Error><Code>${code}</Code></Error>`);
}
