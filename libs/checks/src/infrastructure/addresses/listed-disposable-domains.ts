import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { DisposableDomains } from '../../application/ports/check-readers.port.js';

/** The list of https://github.com/disposable-email-domains, in the public domain. Read when it is first asked. */
export class ListedDisposableDomains extends DisposableDomains {
  private domains: ReadonlySet<string> | undefined;

  has(domain: string): boolean {
    this.domains ??= disposableEmailBlocklistSet();
    return this.domains.has(domain);
  }
}
