import { Domain } from './domain.js';
import { RecordView } from './record-view.js';

export type DomainEventType = 'domain.created' | 'domain.updated' | 'domain.deleted';

/** The `data` of a webhook (docs/wire-contract.md section 22.4). */
export interface DomainEventPayload {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: string;
  readonly region: string;
  readonly capabilities: Capabilities;
  readonly records: readonly (Omit<RecordView, 'record'> & { readonly record: string })[];
}

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
    status: domain.status,
    created_at: domain.createdAt.toISOString(),
    region: domain.region,
    capabilities: capabilitiesOf(domain),
    // The contract gives the inbound record another name in webhooks than in the REST API (section 22.4).
    records: records.map((view) => (view.record === 'Receiving' ? { ...view, record: 'Receiving MX' } : view)),
  };
}
