import { Injectable } from '@nestjs/common';
import { getDomain } from 'tldts';
import { PublicSuffixes } from '../../application/ports/public-suffixes.port.js';

/** Uses the Public Suffix List of the installed version of the `tldts` package. */
@Injectable()
export class TldtsPublicSuffixes extends PublicSuffixes {
  registrableDomain(name: string): string | undefined {
    return getDomain(name, { allowPrivateDomains: false, validateHostname: false }) ?? undefined;
  }
}
