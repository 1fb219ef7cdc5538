import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { PublicSuffixes } from '../../application/ports/public-suffixes.port.js';

/** The Public Suffix List as it was when the `tldts` package was released. */
@Injectable()
export class TldtsPublicSuffixes extends PublicSuffixes {
  registrableDomain(name: string): string | undefined {
    return getDomain(name, { allowPrivateDomains: false, validateHostname: false }) ?? undefined;
  }
}
