/** A problem document (RFC 7807), as the authority sends it. */
export interface AuthorityProblem {
  readonly type: string;
  readonly detail: string;
}

/** The authority issues no certificate now. The message is a sentence for customers. */
export class AuthorityRefusal extends Error {
  constructor(
    message: string,
    /** How long the authority asks to wait; 0 if it does not say. */
    readonly retryAfterMs: number,
    /** Whether the order can never become valid. */
    readonly isOrderOver: boolean,
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.name = 'AuthorityRefusal';
  }
}

const prefix = 'urn:ietf:params:acme:error:';
const maxDetail = 300;

/** The types of RFC 8555 section 6.7 that customers or operators can act on. */
export function explainProblem(host: string, { type, detail }: AuthorityProblem): string {
  const sentence = sentenceFor(type.startsWith(prefix) ? type.slice(prefix.length) : type, host);
  const said = detail.replace(/[^\x20-\x7e]+/g, ' ').slice(0, maxDetail);
  return said === '' ? sentence : `${sentence} It said: ${said}`;
}

function sentenceFor(type: string, host: string): string {
  switch (type) {
    case 'connection':
    case 'tls':
      return `The certificate authority could not connect to ${host} at port 80. Make sure that it leads to this server and that the port is open.`;
    case 'dns':
      return `The certificate authority found no address of ${host} in the DNS.`;
    case 'unauthorized':
    case 'incorrectResponse':
      return `Another server answered the certificate authority for ${host}. Make sure that its port 80 leads to this one.`;
    case 'caa':
      return `A CAA record of ${host} does not allow this certificate authority.`;
    case 'rateLimited':
      return `The certificate authority issues no more certificates for ${host} now.`;
    case 'rejectedIdentifier':
      return `The certificate authority issues no certificates for ${host}.`;
    default:
      return `The certificate authority refused a certificate for ${host}.`;
  }
}
