import { addressSpellings, DataSubject, PersonalData, PersonalDataHolders } from '#postgres/privacy';
import { Injectable } from '@nestjs/common';
import { DataHolders, Portion, Subject } from '../application/ports/erasure-repository.port.js';

/** What the libs of this process have registered. */
@Injectable()
export class RegisteredDataHolders extends DataHolders {
  constructor(private readonly holders: PersonalDataHolders) {
    super();
  }

  get names(): readonly string[] {
    return this.holders.all.map(({ name }) => name);
  }

  records(name: string, subject: Subject): AsyncIterable<object> {
    return this.holderOf(name).records(withSpellings(subject));
  }

  erase(name: string, subject: Subject, after: string | undefined): Promise<Portion> {
    return this.holderOf(name).erase(withSpellings(subject), after);
  }

  private holderOf(name: string): PersonalData {
    const holder = this.holders.all.find((one) => one.name === name);
    if (holder === undefined) throw new Error(`Nothing is registered for the personal data "${name}"`);
    return holder;
  }
}

function withSpellings({ teamId, address }: Subject): DataSubject {
  return { teamId, address, spellings: addressSpellings(address) };
}
