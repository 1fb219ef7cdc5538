import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceHost } from '../support/programs/domains-program.js';
import { publishRecords } from '../support/builders/published-records.js';
import { until } from '../support/runner/until.js';
import {
  program,
  startDomains,
  stopDomains,
  createDomain,
  statusesOf,
  eventsOf,
  send,
} from '../support/builders/domain-steps.js';

beforeAll(startDomains);
afterAll(stopDomains);

describe('the domain methods of the resend client', () => {
  it('create returns the records of the contract with hosts of this service', async () => {
    const domain = await createDomain('shapes.test', {
      region: 'eu-west-1',
      customReturnPath: 'bounce',
      trackingSubdomain: 'links',
      openTracking: true,
      capabilities: { receiving: 'enabled' },
    });

    expect(domain).toEqual({
      object: 'domain',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'shapes.test',
      status: 'not_started',
      state: 'not_started',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00$/),
      region: 'eu-west-1',
      open_tracking: true,
      click_tracking: false,
      tracking_subdomain: 'links',
      capabilities: { sending: 'enabled', receiving: 'enabled' },
      records: [
        txt('DKIM', 'postrider._domainkey', expect.stringMatching(/^v=DKIM1; k=rsa; p=[A-Za-z0-9+/]{390,}=*$/)),
        txt('DKIM', 'postrider-ed25519._domainkey', expect.stringMatching(/^v=DKIM1; k=ed25519; p=.{43}=$/)),
        {
          record: 'SPF',
          name: 'bounce',
          type: 'MX',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
          priority: 10,
        },
        txt('SPF', 'bounce', `v=spf1 a:${serviceHost} ~all`),
        {
          record: 'Receiving MX',
          name: 'shapes.test',
          type: 'MX',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
          priority: 10,
        },
        {
          record: 'Tracking',
          name: 'links.shapes.test',
          type: 'CNAME',
          ttl: 'Auto',
          status: 'not_started',
          value: serviceHost,
        },
      ],
      recommended_records: [
        txt('DMARC', '_dmarc', 'v=DMARC1; p=none; rua=mailto:dmarc-reports@bounce.shapes.test;'),
        txt('TLSRPT', '_smtp._tls', 'v=TLSRPTv1; rua=mailto:tls-reports@bounce.shapes.test;'),
      ],
    });
  });

  it('a domain can send once its records are published and verified', async () => {
    const domain = await createDomain('sending.test');
    expect((await send('a@sending.test')).error).toMatchObject({ statusCode: 403, name: 'validation_error' });
    publishRecords(program.dns, 'sending.test', domain.records);

    const verify = await program.resend.domains.verify(domain.id);

    expect(verify.data).toEqual({ object: 'domain', id: domain.id });
    await program.becomes(domain.id, 'verified');
    expect(new Set(Object.values(await statusesOf(domain.id)))).toEqual(new Set(['verified']));
    const { data, error } = await send('Acme <a@sending.test>');
    expect(error).toBeNull();
    await until(() => program.transport.delivered.some(({ emailId }) => emailId === data?.id));
  });

  it('the records of a subdomain are named relative to its zone', async () => {
    const domain = await createDomain('mail.sub.test');
    expect(domain.records.map(({ name }) => name)).toEqual([
      'postrider._domainkey.mail',
      'postrider-ed25519._domainkey.mail',
      'send.mail',
      'send.mail',
    ]);
    publishRecords(program.dns, 'sub.test', domain.records);
    await program.resend.domains.verify(domain.id);
    await program.becomes(domain.id, 'verified');
    expect((await send('a@sub.test')).error).toMatchObject({ statusCode: 403 });
    expect((await send('a@mail.sub.test')).error).toBeNull();
  });

  it('get, list, update and remove return the fields of the contract', async () => {
    const domain = await createDomain('methods.test');
    const { records, recommended_records, ...summary } = domain as typeof domain &
      Record<'object' | 'recommended_records', string>;

    expect((await program.resend.domains.get(domain.id)).data).toEqual({ ...summary, records, recommended_records });
    const list = await program.resend.domains.list();
    const { object: _, ...item } = summary;
    expect(list.data).toMatchObject({ object: 'list', has_more: false });
    expect(list.data?.data[0]).toEqual(item);
    expect((await program.resend.domains.list({ limit: 1 })).data).toMatchObject({ has_more: true, data: [item] });

    const update = { id: domain.id, clickTracking: true, tls: 'enforced' as const, trackingSubdomain: 'go' };
    expect((await program.resend.domains.update(update)).data).toEqual({ object: 'domain', id: domain.id });
    expect((await program.resend.domains.get(domain.id)).data).toMatchObject({
      click_tracking: true,
      tracking_subdomain: 'go',
    });

    expect((await program.resend.domains.remove(domain.id)).data).toEqual({
      object: 'domain',
      id: domain.id,
      deleted: true,
    });
    expect((await program.resend.domains.get(domain.id)).error).toMatchObject({
      statusCode: 404,
      message: 'Domain not found',
    });
    expect((await eventsOf(domain.id)).map(({ type }) => type)).toEqual([
      'domain.created',
      'domain.updated',
      'domain.deleted',
    ]);
  });
});

function txt(record: string, name: string, value: unknown) {
  return { record, name, type: 'TXT', ttl: 'Auto', status: 'not_started', value };
}
