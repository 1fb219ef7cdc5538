import { expect, it } from '@jest/globals';
import { readConfig } from '#platform/config';
import { ConfiguredServiceNames } from './configured-service-names.js';

const namesOf = (regions: string): ConfiguredServiceNames =>
  new ConfiguredServiceNames(readConfig({ REGIONS: regions, HOST_NAME: 'mail.service.test' }));

it('the host of the next region stands in, after the last one that of the first', () => {
  const names = namesOf('eu=eu.service.test,us=us.service.test,asia');
  expect(['eu', 'us', 'asia'].map((region) => names.hostsOf(region))).toMatchObject([
    { host: 'eu.service.test', standInHost: 'us.service.test' },
    { host: 'us.service.test', standInHost: 'mail.service.test' },
    { host: 'mail.service.test', standInHost: 'eu.service.test' },
  ]);
});

it('none does where all regions have one host', () => {
  expect(namesOf('eu,us').hostsOf('eu')).toMatchObject({ host: 'mail.service.test', standInHost: undefined });
});
