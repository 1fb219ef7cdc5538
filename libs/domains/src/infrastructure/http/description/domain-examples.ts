export const domainId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';

export const summary = {
  id: domainId,
  name: 'acme.example',
  status: 'pending',
  created_at: '2026-11-28 09:10:31.44+00',
  region: 'default',
  open_tracking: false,
  click_tracking: false,
  tracking_subdomain: null,
  capabilities: { sending: 'enabled', receiving: 'disabled' },
};

/** Shortened: a whole key has 392 characters. */
export const dkimValue = 'v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0z';

export const dkimRecord = {
  record: 'DKIM',
  name: 'postrider1._domainkey',
  type: 'TXT',
  ttl: 'Auto',
  status: 'pending',
  value: dkimValue,
};

export const domain = {
  object: 'domain',
  ...summary,
  records: [
    dkimRecord,
    {
      record: 'SPF',
      name: 'send',
      type: 'MX',
      ttl: 'Auto',
      status: 'verified',
      value: 'mail.service.example',
      priority: 10,
    },
    {
      record: 'SPF',
      name: 'send',
      type: 'TXT',
      ttl: 'Auto',
      status: 'verified',
      value: 'v=spf1 a:mail.service.example ~all',
    },
  ],
};
