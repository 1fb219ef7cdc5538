import { describe, expect, it } from '@jest/globals';
import { Adapters } from '#platform/adapters';
import { readConfig } from '#platform/config';
import { DeliveryTransport } from '../../application/ports/delivery-transport.port.js';
import { ConfiguredSandboxPolicy } from './configured-sandbox-policy.js';
import { InMemoryDeliveryTransport } from './in-memory-delivery-transport.js';

const allows = (environment: Record<string, string>, adapters = new Adapters()): boolean =>
  new ConfiguredSandboxPolicy(adapters, readConfig(environment)).allowsSandboxDomains;

const relay = (url: string): Record<string, string> => ({ DELIVERY_TRANSPORT: 'relay', RELAY_URL: url });

describe('ConfiguredSandboxPolicy', () => {
  it('lets sandbox domains send where mail goes to the built-in inbox', () => {
    expect(allows({ DELIVERY_TRANSPORT: 'sandbox' })).toBe(true);
  });

  it.each([
    'smtp://127.0.0.1:1025',
    'smtp://127.8.9.10',
    'smtp://[::1]:25',
    'smtp://localhost:2525',
    'smtps://LOCALHOST',
  ])('lets sandbox domains send through the relay %s on this machine', (url) => expect(allows(relay(url))).toBe(true));

  it.each(['smtp://relay.example.test', 'smtp://10.0.0.1', 'smtp://127.0.0.1.example.test', 'smtp://localhost.test'])(
    'does not let sandbox domains send through the relay %s',
    (url) => expect(allows(relay(url))).toBe(false),
  );

  it('does not let sandbox domains send to the internet', () => {
    expect(allows({ DELIVERY_TRANSPORT: 'mx' })).toBe(false);
  });

  it('lets sandbox domains send where private destinations are allowed', () => {
    expect(allows({ DELIVERY_TRANSPORT: 'mx', ALLOW_PRIVATE_DESTINATIONS: 'true' })).toBe(true);
  });

  it("lets sandbox domains send through a program's own transport", () => {
    const adapters = new Adapters().use(DeliveryTransport, new InMemoryDeliveryTransport());
    expect(allows({ DELIVERY_TRANSPORT: 'mx' }, adapters)).toBe(true);
  });
});
