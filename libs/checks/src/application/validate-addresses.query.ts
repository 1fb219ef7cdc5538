import { BouncedAddresses } from '#emails';
import { EmailAddress, parseEmailAddress, UnitOfWork } from '#kernel';
import { SuppressedAddresses } from '#suppressions';
import { Injectable } from '@nestjs/common';
import { AddressValidation, isRole, suggestionFor, withParents } from '../domain/addresses/address-validation.js';
import { AskMailHosts } from './ask-mail-hosts.js';
import { DisposableDomains } from './ports/check-readers.port.js';

/** What our own rows say of the addresses of a team. */
export interface KnownOfAddresses {
  readonly parsed: readonly (EmailAddress | undefined)[];
  readonly known: (address: string) => Pick<AddressValidation, 'suppressed' | 'bouncedAt'>;
}

/**
 * Says what is known about addresses before anything is sent to them. Their mail hosts are never asked: strangers see such
 * questions as attacks, and the answers are often untrue.
 */
@Injectable()
export class ValidateAddresses {
  constructor(
    private readonly hosts: AskMailHosts,
    private readonly disposable: DisposableDomains,
    private readonly suppressed: SuppressedAddresses,
    private readonly bounced: BouncedAddresses,
    private readonly work: UnitOfWork,
  ) {}

  /** One validation for each text, in order. `beforeDns` is called when the database is not needed any more. */
  async validate(
    teamId: string,
    texts: readonly string[],
    beforeDns: () => void = () => undefined,
  ): Promise<readonly AddressValidation[]> {
    const { parsed, known } = await this.read(teamId, texts);
    beforeDns();
    const domains = new Set(parsed.flatMap((address) => address?.domain ?? []));
    const hosts = await this.hosts.of(teamId, [...domains]);
    return texts.map((email, index) => {
      const address = parsed[index];
      const isValid = address !== undefined;
      return {
        email,
        isValid,
        suggestion: suggestionFor(email.trim()),
        mailHosts: (isValid ? hosts.get(address.domain) : undefined) ?? 'not_checked',
        isDisposable: isValid && withParents(address.domain).some((domain) => this.disposable.has(domain)),
        isRole: isValid && isRole(address),
        ...(isValid ? known(address.address) : { suppressed: undefined, bouncedAt: undefined }),
      };
    });
  }

  private async read(teamId: string, texts: readonly string[]): Promise<KnownOfAddresses> {
    const parsed = texts.map((text) => parseEmailAddress(text.trim()));
    const addresses = [...new Set(parsed.flatMap((address) => address?.address.toLowerCase() ?? []))];
    if (addresses.length === 0) return { parsed, known: () => ({ suppressed: undefined, bouncedAt: undefined }) };
    const asked = addresses.map((address) => ({ teamId, address }));
    const list = await this.work.run((transaction) => this.suppressed.among(asked, transaction));
    const bounced = await this.bounced.among(teamId, addresses);
    return {
      parsed,
      known: (address) => ({
        suppressed: list.originOf(teamId, address),
        bouncedAt: bounced.get(address.toLowerCase()),
      }),
    };
  }
}
