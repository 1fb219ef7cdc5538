import { describe, expect, it } from '@jest/globals';
import { ConfigError, describeVariables, readConfig } from './config.js';
import { urlsOfHosts } from './addresses.js';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
}

describe('readConfig', () => {
  it('runs all roles in one process and delivers to the sandbox when nothing is set', () => {
    const { values } = readConfig({});
    expect(values).toMatchObject({
      httpPort: 3000,
      roles: ['api', 'smtp', 'inbound', 'worker'],
      deliveryTransport: 'sandbox',
      messageStore: 'postgres',
      databaseUrl: undefined,
      allowPrivateDestinations: false,
    });
  });

  it('counts an empty variable as not set', () => {
    expect(readConfig({ HTTP_PORT: '' }).values.httpPort).toBe(3000);
  });

  it('lists everything that is wrong at once', () => {
    expect(problemsOf({ HTTP_PORT: '70000', ROLES: 'api,cook', ALLOW_PRIVATE_DESTINATIONS: 'maybe' })).toEqual([
      'HTTP_PORT must be a whole number from 0 to 65535',
      'ROLES takes api, smtp, inbound, worker and delivery',
      'ALLOW_PRIVATE_DESTINATIONS must be true or false',
    ]);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ DATABASE_URL: 'postgres://db/x' }, /SECRET_KEY is required with DATABASE_URL/],
    [{ DATABASE_DIRECT_URL: 'postgres://db/x' }, /DATABASE_DIRECT_URL can be used only with DATABASE_URL/],
    [{ REDIS_URL: 'redis://one:6379,http://two:6379' }, /REDIS_URL must be a URL that starts with redis/],
    [{ PUBLIC_URL: 'https://acme.test/mail' }, /^PUBLIC_URL must not have a path/],
    [{ PUBLIC_URL: 'https://acme.test/?a=b' }, /^PUBLIC_URL must not have a path, a query/],
    [{ PUBLIC_URL: 'https://me:secret@acme.test' }, /^PUBLIC_URL must not have .* a user name/],
    [{ GITHUB_URL: 'https://acme.test/github' }, /^GITHUB_URL must not have a path/],
    [{ RSPAMD_URL: 'http://127.0.0.1/rspamd' }, /^RSPAMD_URL must not have a path/],
    [{ DELIVERY_TRANSPORT: 'relay' }, /RELAY_URL is required/],
    [{ RELAY_OPTIONS: '["secret"]' }, /^RELAY_OPTIONS must be a JSON object$/],
    [{ MESSAGE_STORE: 's3' }, /S3_URL is required/],
    [{ SECRET_KEY: 'short' }, /32 bytes/],
    [{ BOOTSTRAP_API_KEY: 're_short' }, /BOOTSTRAP_API_KEY/],
    [{ DATABASE_URL: 'mysql://db/x' }, /postgres:\/\//],
    [{ GUARD_COMPLAINTS: '0.1,0.3,0.2,1,3' }, /GUARD_COMPLAINTS must be 5 ascending shares in percent/],
    [{ GUARD_SPAM_REFUSALS: '1,2,3' }, /GUARD_SPAM_REFUSALS must be 5 ascending/],
    [{ WORKERS: '2', ROLES: 'api' }, /WORKERS can be used only where ROLES includes worker/],
    [{ NOTICES_TO: 'operator@ops.test' }, /NOTICES_FROM is required with NOTICES_TO/],
    [{ PASSWORD_SIGN_IN: 'off' }, /^PASSWORD_SIGN_IN=off and .* need OIDC_PROVIDERS, Google or GitHub/],
    [{ PASSWORD_SIGN_IN_OFF_DOMAINS: 'acme.test' }, /need OIDC_PROVIDERS, Google or GitHub/],
    [{ NOTICES_URL: 'https://chat.test/a,teams+https://b.test' }, /NOTICES_URL must be URLs such as/],
    [{ NOTICES_TO: 'operator' }, /NOTICES_TO must be an email address/],
    [{ SMTP_LISTEN: 'everywhere' }, /host:port/],
    [{ TLS_ACME: 'on' }, /TLS_ACME_EMAIL is required with TLS_ACME=on/],
    [{ TLS_ACME_DIRECTORY: 'test' }, /TLS_ACME_DIRECTORY must be production, staging or a URL/],
    [{ SMTP_PROXY_PROTOCOL: 'true' }, /TRUSTED_PROXIES is required with SMTP_PROXY_PROTOCOL/],
  ])('refuses %j', (environment, problem) => {
    expect(problemsOf(environment).join('\n')).toMatch(problem);
  });

  it('takes a slash at the end of a base URL', () => {
    const { publicUrl, githubUrl } = readConfig({
      PUBLIC_URL: 'https://Mail.acme.test/',
      GITHUB_URL: 'https://git.test/',
    }).values;
    expect([publicUrl, githubUrl]).toEqual(['https://mail.acme.test', 'https://git.test']);
  });

  it('never repeats a secret in a problem', () => {
    expect(problemsOf({ SECRET_KEY: 'hunter2' }).join()).not.toContain('hunter2');
  });
});

it('accepts mail of other servers on port 25 and on ports marked `+mx`, but never with implicit TLS', () => {
  const { values } = readConfig({ SMTP_LISTEN: '0.0.0.0:25,:2525+mx,:587,:465+tls,:2465+tls+mx' });
  expect(values.smtpListen.map(({ port, isMx }) => [port, isMx])).toEqual([
    [25, true],
    [2525, true],
    [587, false],
    [465, false],
    [2465, false],
  ]);
});

it('describes every variable in a row of its own', () => {
  expect(describeVariables()).toContain('| `HTTP_PORT` | `3000` |');
});

it('takes a PostgreSQL with several hosts, and names each of them by a URL', () => {
  const DATABASE_URL = 'postgres://me:a%2Cb%40c@db1:5432,db2:5433,[::1]/mail?sslmode=require';
  const { databaseUrl } = readConfig({ DATABASE_URL, SECRET_KEY: Buffer.alloc(32).toString('base64') }).values;
  expect(databaseUrl).toBe(DATABASE_URL);
  expect(urlsOfHosts(DATABASE_URL)).toEqual([
    'postgres://me:a%2Cb%40c@db1:5432/mail?sslmode=require',
    'postgres://me:a%2Cb%40c@db2:5433/mail?sslmode=require',
    'postgres://me:a%2Cb%40c@[::1]/mail?sslmode=require',
  ]);
  expect(() => readConfig({ DATABASE_URL: 'postgres://db1:x,db2/mail' })).toThrow(ConfigError);
});
