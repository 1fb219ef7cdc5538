import { ValidationError } from '#kernel';

const maxUrlLength = 2_048;
const addressLike = /^\[|^[0-9.]+$/;
/** The URL parser silently drops some control characters, and PostgreSQL does not accept NUL. */

const controlCharacter = /[\u0000-\u001f\u007f]/;

/** Which URLs an endpoint may have. The addresses of a host name are checked at each connection, not here. */
export abstract class EndpointRules {
  /** For local work: allows `http` as well, and any address. */
  abstract readonly allowPrivate: boolean;
  /** Whether an IP address written in a URL may be connected to. */
  abstract readonly allowsAddress: (address: string) => boolean;
}

/**
 * Returns the endpoint unchanged, because clients compare the URL that they read with the URL that they sent.
 * Throws a ValidationError if it cannot be called. `field` is the name of the field that has it.
 */
export function parseEndpoint(text: string, rules: EndpointRules, field = 'endpoint'): string {
  const url = text.length > maxUrlLength || controlCharacter.test(text) ? undefined : parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw new ValidationError(`The \`${field}\` field must be a URL such as \`https://example.com/hooks\`.`);
  }
  if (url.protocol === 'http:' && !rules.allowPrivate) {
    throw new ValidationError(`The \`${field}\` field must be an \`https\` URL.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ValidationError(
      `The \`${field}\` field must not hold a user name or password. Verify the signature instead.`,
    );
  }
  if (addressLike.test(url.hostname) && !rules.allowPrivate) {
    const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (!rules.allowsAddress(address)) {
      throw new ValidationError(`The \`${field}\` field must lead to a public address.`);
    }
  }
  return text;
}

/** The URL of the calls: normalised, without a fragment. */
export function callableUrl(endpoint: string): string {
  const url = new URL(endpoint);
  url.hash = '';
  return url.href;
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
