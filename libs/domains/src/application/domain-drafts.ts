import { Clock, ValidationError } from '#kernel';
import { Injectable } from '@nestjs/common';
import { UnknownRegionError } from '../domain/domain-errors.js';
import { Domain } from '../domain/domain.js';
import { defaultReturnPath, NewDomain, parseNewName, settingsWith, subdomain } from '../domain/new-domain.js';
import { PublicSuffixes } from './ports/public-suffixes.port.js';
import { ServiceNames } from './ports/service-names.port.js';

/** Makes a domain of a request, with the defaults of the service. Nothing is stored. */
@Injectable()
export class DomainDrafts {
  constructor(
    private readonly serviceNames: ServiceNames,
    private readonly suffixes: PublicSuffixes,
    private readonly clock: Clock,
  ) {}

  /** Throws the refusal of a request that is not valid. A sandbox domain counts as verified. */
  draft(teamId: string, id: string, request: NewDomain, sandbox: boolean): Domain {
    const customReturnPath = subdomain('custom_return_path', request.customReturnPath) ?? defaultReturnPath;
    return {
      id,
      teamId,
      name: this.nameOf(request.name),
      status: sandbox ? 'verified' : 'not_started',
      region: this.regionOf(request.region),
      customReturnPath,
      ...settingsWith(request, customReturnPath),
      dkimPublication: request.dkimPublication ?? 'txt',
      dkimGeneration: 1,
      sandbox,
      checks: {},
      dnsProvider: null,
      checkedAt: null,
      nextCheckAt: null,
      version: 0,
      createdAt: this.clock.now(),
    };
  }

  private nameOf(text: string): string {
    const name = parseNewName(text);
    if (this.suffixes.registrableDomain(name) !== undefined) return name;
    throw new ValidationError(`The \`name\` ${name} is a public suffix: anyone can register domains under it.`);
  }

  private regionOf(region: string | undefined): string {
    const [first] = this.serviceNames.regions as [string];
    if (region === undefined) return first;
    if (!this.serviceNames.regions.includes(region)) throw new UnknownRegionError(this.serviceNames.regions);
    return region;
  }
}
