/** What a program that extends Postrider imports: the start, the ports, and the adapters that come with them. */
export { startPostrider } from './postrider.js';
export { watchEventLoop } from './watch-event-loop.js';
export type { Postrider, PostriderOptions } from './postrider.js';
export { DeliveryTransport, InMemoryDeliveryTransport, LaneNames } from '#delivery';
export { RelayDeliveryTransport } from '#smtp-client';
export type { AttemptDetail, DeliveryOutcome, MessageContent, OutboundMessage } from '#delivery';
export { DnsResolver, DnsUnavailableError, InMemoryDnsResolver } from '#domains';
export { InMemoryMessageStore, MessageStore } from '#emails';
export type { StoredMessage } from '#emails';
export { Clock } from '#kernel';
export { Adapters } from '#platform/adapters';
export { Disk } from '#observability/disk';
export { OutboundHttp } from '#http/outbound';
export { RateLimiter } from '#rate-limit';
export { StsPolicyStore } from '#mx';
export { Config, readConfig } from '#platform/config';
