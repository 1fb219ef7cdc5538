import { expect, it } from '@jest/globals';
import { shippedProfiles, SiteProfiles } from './site-profiles.js';

it.each([
  ['gmail-smtp-in.l.google.com', 'google'],
  ['alt1.aspmx.l.googlemail.com', 'google'],
  ['hotmail-com.olc.protection.outlook.com', 'microsoft-consumer'],
  ['contoso-com.mail.protection.outlook.com', 'microsoft-365'],
  ['contoso-com.a-v1.mx.microsoft', 'microsoft-365'],
  ['mta7.am0.yahoodns.net', 'yahoo'],
  ['mx01.mail.icloud.com', 'icloud'],
  ['mx00.gmx.net', 'gmx and web.de'],
  ['mx-ha02.web.de', 'gmx and web.de'],
  ['mx1a1.comcast.net', 'comcast'],
  ['smtp-in.orange.fr', 'orange'],
  ['mxs.mail.ru', 'mail.ru'],
  ['evil-google.com', 'default'],
])('%s has profile %s', (host, name) => {
  expect(new SiteProfiles().profileOf(host).name).toBe(name);
});

it('each profile names the source of its figures', () => {
  expect(shippedProfiles.filter(({ source }) => !/our own default|KumoMTA|published/.test(source))).toEqual([]);
});
