import { returnPathHost, trackingHost } from '#domains';
import type { Domain } from '#domains';
import { HostCertificates } from '#http/tls';
import { Config } from '#platform/config';
import { Injectable } from '@nestjs/common';
import { UnsubscribeLink, UnsubscribeTokens } from '../../application/ports/unsubscribing.port.js';

/** The link of one recipient, and the header fields that offer it to mail programs. */
export interface UnsubscribeOffer {
  readonly url: string;
  /** To be signed: mailbox providers ignore unsigned ones. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Makes the links to unsubscribe and the fields of RFC 2369 and RFC 8058 at the moment of delivery.
 *
 * A link leads to PUBLIC_URL, because that is the address that stays for as long as people keep the mail; without it to the
 * domain's tracking host. One-click needs https, so that the field that asks for it is left out for a link with http.
 */
@Injectable()
export class MailUnsubscribe {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly config: Config,
    private readonly certificates: HostCertificates,
  ) {}

  offer(domain: Domain, link: UnsubscribeLink): UnsubscribeOffer {
    const token = this.tokens.of(link);
    const url = `${this.base(domain)}/unsubscribe/${token}`;
    const mailbox = `${this.tokens.mailboxOf(link.teamId)}@${returnPathHost(domain)}`;
    const list = `<${url}>, <mailto:${mailbox}?subject=unsubscribe%20${token}>`;
    const isOneClick = url.startsWith('https:');
    return {
      url,
      headers: {
        'List-Unsubscribe': list,
        ...(isOneClick ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
      },
    };
  }

  private base(domain: Domain): string {
    const { publicUrl, trackingScheme, httpHost, httpPort } = this.config.values;
    if (publicUrl !== undefined) return publicUrl;
    const host = trackingHost(domain);
    if (host === undefined) return `http://${httpHost}:${httpPort}`;
    return `${this.certificates.isTrusted(host) ? 'https' : trackingScheme}://${host}`;
  }
}
