import { DomainError } from '#kernel';
import { thrownBy } from '#platform/api-description';
import { UnknownRegionError } from '../../../domain/domain-errors.js';
import { parseNewName, settingsWith, subdomain } from '../../../domain/new-domain.js';

export const busy = new DomainError(
  'conflict',
  'resource_locked',
  'The domain is being changed by other requests. Try again.',
);

/** Refusals of the settings of a new domain or of a claim. */
export const invalidDomain: readonly DomainError[] = [
  thrownBy(() => parseNewName('not a domain')),
  thrownBy(() => subdomain('custom_return_path', '-')),
  thrownBy(() => settingsWith({ sending: false, receiving: false }, 'send')),
  thrownBy(() => settingsWith({ trackingSubdomain: 'send' }, 'send')),
  new UnknownRegionError(['default']),
];
