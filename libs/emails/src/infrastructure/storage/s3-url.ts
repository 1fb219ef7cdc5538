export interface S3Location {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
  /** URL of the bucket in path style, without a trailing slash. */
  readonly bucketUrl: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

/**
 * Parses `https://key:secret@host/bucket/prefix?region=eu-central-1`. Every S3-compatible server understands path
 * style. Throws `RangeError` with a message for the operator, which leaves out the URL because it contains a secret.
 */
export function s3LocationFromUrl(text: string): S3Location {
  const url = new URL(text);
  if (url.username === '' || url.password === '') throw new RangeError('S3_URL needs an access key and a secret');
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '');
  if (bucket === undefined) throw new RangeError('S3_URL needs the name of a bucket as its path');
  return {
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get('region') ?? 'us-east-1',
    bucketUrl: `${url.origin}/${bucket}`,
    prefix: folders.map((folder) => `${decodeURIComponent(folder)}/`).join(''),
  };
}
