import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeVariables } from '#platform/config';

const ours = new Set([...describeVariables().matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name as string));
/** The variables of the other images. */
const others = new Set(['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'NODE_ENV']);

const read = (name: string): Promise<string> => readFile(join('docker', name), 'utf8');

/** The names of the entries directly below a top-level key. */
const below = (text: string, key: string): string[] => {
  const [, block = ''] = new RegExp(`^${key}:\\n((?:(?: .*)?\\n)*)`, 'm').exec(text) ?? [];
  return [...block.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name as string);
};

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  it('sets only variables that the program reads', async () => {
    const set = [...(await read(file)).matchAll(/^[ \t]+([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name as string);
    expect(set.length).toBeGreaterThan(5);
    expect(set.filter((name) => !ours.has(name) && !others.has(name))).toEqual([]);
  });

  it('gives the program more time to stop than it needs', async () => {
    const text = await read(file);
    const seconds = (name: string): number => Number(new RegExp(`${name}: (\\d+)`).exec(text)?.[1] ?? 0);
    expect(seconds('stop_grace_period')).toBeGreaterThan(seconds('DRAIN_SECONDS') + seconds('SHUTDOWN_SECONDS'));
  });

  it('mounts only files that exist', async () => {
    const mounted = [...(await read(file)).matchAll(/- (\.\/[^:]+):/g)].map(([, path]) => path as string);
    expect(mounted.filter((path) => !existsSync(join('docker', path)))).toEqual([]);
  });
});

it('the image copies only files that exist, copies all that the build needs, and sets only known variables', async () => {
  const text = await read('Dockerfile');
  const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources]) =>
    (sources as string).split(' '),
  );
  expect(copied.filter((source) => !existsSync(source))).toEqual([]);
  const built = /"build:program": "swc ([^"]+?) -d/.exec(await readFile('package.json', 'utf8'))?.[1]?.split(' ') ?? [];
  expect(built.filter((source) => !copied.includes(source.split('/')[0] as string))).toEqual([]);
  const set = [...text.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name as string);
  expect(set.filter((name) => !ours.has(name) && !others.has(name))).toEqual([]);
  expect(text).toMatch(/^USER node$/m);
});

it('the load balancer forwards to services of the cluster, on the ports that they listen on', async () => {
  const cluster = await read('compose.cluster.yaml');
  const backends = [...(await read('haproxy.cfg')).matchAll(/server-template \w+ \d+ (\w+):(\d+)/g)];
  expect(backends.length).toBeGreaterThan(1);
  for (const [, service, port] of backends) {
    expect(below(cluster, 'services')).toContain(service);
    expect(port === '3000' || cluster.includes(`0.0.0.0:${port}`)).toBe(true);
  }
});

it('the load balancer passes on the address of each SMTP client, and the program trusts no other host to do so', async () => {
  const servers = [...(await read('haproxy.cfg')).matchAll(/server-template smtp .*/g)].map(([line]) => line);
  expect(servers).toHaveLength(3);
  // A check on another port than that of the traffic is sent without the header, unless `check-send-proxy` asks for it.
  for (const server of servers) expect(server).toMatch(/ send-proxy-v2 check port 3000$/);
  const cluster = await read('compose.cluster.yaml');
  const [, network] = /subnet: (.+)$/m.exec(cluster) ?? [];
  expect(cluster).toContain(`TRUSTED_PROXIES: ${network}`);
  const [, smtp = ''] = /^ {2}smtp:\n((?: {4}.*\n)+)/m.exec(cluster) ?? [];
  expect(smtp).toMatch(/SMTP_PROXY_PROTOCOL: 'true'/);
  expect(smtp).not.toContain('SMTP_CONNECTIONS_PER_ADDRESS');
});
