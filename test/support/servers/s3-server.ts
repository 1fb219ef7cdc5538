import { createHash, createHmac } from 'node:crypto';
import { createServer, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
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

export interface S3ServerOptions {
  /** Certificate and key in PEM. Default: HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Entries of a listing before the next page. Default: 2. */
  readonly pageSize?: number;
}

/**
 * The part of S3 that the message store and pgBackRest use, in memory. It verifies the signature (version 4) of every
 * request.
 */
export async function startS3Server({ tls, pageSize = 2 }: S3ServerOptions = {}): Promise<S3Server> {
  const objects = new Map<string, Buffer>();
  let failures = 0;
  const listener: RequestListener = (request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      if (failures > 0) {
        failures--;
        return void response.writeHead(503).end();
      }
      if (!isSigned(request, body)) return void refuse(response, 403, 'SignatureDoesNotMatch');
      answer({ objects, pageSize }, request, response, body);
    })();
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${accessKey}:${encodeURIComponent(secret)}@127.0.0.1:${port}/mail/store?region=${region}`,
    objects,
    failNext: (count) => (failures = count),
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Bucket {
  readonly objects: Map<string, Buffer>;
  readonly pageSize: number;
}

function answer(bucket: Bucket, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { objects } = bucket;
  const url = new URL(request.url ?? '/', 'http://s3.test');
  const [, name, ...rest] = decodeURIComponent(url.pathname).split('/');
  if (name !== 'mail') return refuse(response, 404, 'NoSuchBucket');
  const key = rest.join('/');
  const object = objects.get(key);
  switch (request.method) {
    case 'PUT': {
      const part = url.searchParams.get('partNumber');
      objects.set(part === null ? key : partOf(key, Number(part)), body);
      return void response.writeHead(200, { etag: `"${sha256(body)}"` }).end();
    }
    case 'POST':
      return void response.writeHead(200).end(changeMany(objects, key, url.searchParams, body.toString()));
    case 'DELETE':
      objects.delete(key);
      return void response.writeHead(204).end();
    default:
      if (key === '') return void response.writeHead(200).end(listing(bucket, url.searchParams));
      if (object === undefined) return refuse(response, 404, 'NoSuchKey');
      response.writeHead(200, { 'content-length': object.length, 'last-modified': modified }).end(object);
  }
}

const modified = new Date().toUTCString();

/** Parts of an upload are kept beside the object until they are put together. */
function partOf(key: string, number: number): string {
  return `\0${key}\0${String(number).padStart(5, '0')}`;
}

/** Begins or completes an upload in parts, or deletes several objects. */
function changeMany(objects: Map<string, Buffer>, key: string, query: URLSearchParams, body: string): string {
  const xml = '<?xml version="1.0" encoding="UTF-8"?>';
  if (query.has('delete')) {
    for (const [, deleted = ''] of body.matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(deleted);
    return `${xml}<DeleteResult/>`;
  }
  if (query.has('uploads')) {
    return `${xml}<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>`;
  }
  const parts = [...body.matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) => partOf(key, Number(number)));
  objects.set(key, Buffer.concat(parts.map((part) => objects.get(part) as Buffer)));
  for (const part of parts) objects.delete(part);
  return `${xml}<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>`;
}

function listing({ objects, pageSize }: Bucket, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && !key.startsWith('\0')).sort();
  const entries = [...new Set(keys.map((key) => entryOf(key, prefix, delimiter)))];
  const start = Number(query.get('continuation-token') ?? '0');
  const page = entries.slice(start, start + pageSize);
  const items = page.map((entry) =>
    entry.endsWith('/')
      ? `<CommonPrefixes><Prefix>${entry}</Prefix></CommonPrefixes>`
      : `<Contents><Key>${entry}</Key><LastModified>${new Date(modified).toISOString()}</LastModified>` +
        `<Size>${objects.get(entry)?.length}</Size></Contents>`,
  );
  const end = start + pageSize;
  const isLast = end >= entries.length;
  const next = isLast ? '' : `<NextContinuationToken>${end}</NextContinuationToken>`;
  const head = `<Prefix>${prefix}</Prefix><IsTruncated>${!isLast}</IsTruncated>${next}`;
  return `<?xml version="1.0"?><ListBucketResult>${head}${items.join('')}</ListBucketResult>`;
}

function entryOf(key: string, prefix: string, delimiter: string | null): string {
  const cut = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
  return cut < 0 ? key : key.slice(0, cut + 1);
}

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
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
