import { Domain, DomainStatus } from './domain.js';
import { RecordView, shownRecords } from './record-view.js';

export type DomainEventType = 'domain.created' | 'domain.updated' | 'domain.deleted';

/** The `data` of a webhook (docs/wire-contract.md section 22.4). */
export interface DomainEventPayload {
  readonly id: string;
  readonly name: string;
  readonly status: EventStatus;
  readonly state: DomainStatus;
  readonly created_at: string;
  readonly region: string;
  readonly capabilities: Capabilities;
  readonly records: readonly RecordView[];
  readonly recommended_records: readonly RecordView[];
}

/** The words that all clients know in events. They are fewer than in responses. */
export const eventStatuses = ['not_started', 'pending', 'verified', 'failed'] as const;
type EventStatus = (typeof eventStatuses)[number];

const eventStatusOf = {
  not_started: 'not_started',
  pending: 'pending',
  verified: 'verified',
  partially_verified: 'pending',
  partially_failed: 'failed',
  temporary_failure: 'failed',
  failed: 'failed',
} as const satisfies Record<DomainStatus, EventStatus>;

export interface Capabilities {
  readonly sending: 'enabled' | 'disabled';
  readonly receiving: 'enabled' | 'disabled';
}

export function capabilitiesOf({ sending, receiving }: Domain): Capabilities {
  return { sending: sending ? 'enabled' : 'disabled', receiving: receiving ? 'enabled' : 'disabled' };
}

export function domainEventPayload(domain: Domain, records: readonly RecordView[]): DomainEventPayload {
  return {
    id: domain.id,
    name: domain.name,
    status: eventStatusOf[domain.status],
    state: domain.status,
    created_at: domain.createdAt.toISOString(),
    region: domain.region,
    capabilities: capabilitiesOf(domain),
    ...shownRecords(records),
  };
}
