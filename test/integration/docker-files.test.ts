import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { describeVariables, readConfig } from '#platform/config';

const ours = new Set([...describeVariables().matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name as string));
/** The variables of the other images. */
const others = new Set(['POSTGRES_USER', 'POSTGRES_PASSWORD', 'POSTGRES_DB', 'NODE_ENV']);
const isOfOthers = (name: string): boolean => others.has(name) || /^(?:ETCD|PATRONI|PGBACKREST)_/.test(name);

const read = (name: string): Promise<string> => readFile(join('docker', name), 'utf8');

/** The names of the entries directly below a top-level key. */
const below = (text: string, key: string): string[] => {
  const [, block = ''] = new RegExp(`^${key}:\\n((?:(?: .*)?\\n)*)`, 'm').exec(text) ?? [];
  return [...block.matchAll(/^ {2}([\w-]+):/gm)].map(([, name]) => name as string);
};

describe.each(['compose.yaml', 'compose.postgres.yaml', 'compose.cluster.yaml', 'compose.ha.yaml'])('%s', (file) => {
  it('sets only variables that the program reads', async () => {
    const set = [...(await read(file)).matchAll(/^[ \t]+([A-Z][A-Z0-9_]+):/gm)].map(([, name]) => name as string);
    expect(set).toContain('SHUTDOWN_SECONDS');
    expect(set.filter((name) => !ours.has(name) && !isOfOthers(name))).toEqual([]);
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

it('compose.yaml asks for no secret, and keeps those that the first start makes in a volume', async () => {
  const text = await read('compose.yaml');
  expect(text).not.toMatch(/\$\{|SECRET_KEY:|PASSWORD/);
  expect(below(text, 'volumes')).toEqual(['data']);
  expect(await read('Dockerfile')).toContain('DATA_DIR=/data ');
  expect(text).toContain(`volumes: ['data:/data']`);
  expect(text).toContain(`ports: ['127.0.0.1:3000:3000',`);
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

describe('compose.ha.yaml', () => {
  const hostsIn = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, host = '']) => host).sort();

  it('names the two servers of Patroni to the program, and the three of etcd to Patroni, on the ports that they listen on', async () => {
    const compose = await read('compose.ha.yaml');
    const patroni = await read('patroni.yaml');
    const servers = ['postgres1', 'postgres2'];
    const keepers = ['etcd1', 'etcd2', 'etcd3'];
    expect(below(compose, 'services')).toEqual(expect.arrayContaining([...servers, ...keepers]));
    const [, hosts] = /DATABASE_URL: [^@\n]+@([^/\n]+)\/postrider\n/.exec(compose) ?? [];
    expect(hosts).toBe(servers.map((name) => `${name}:5432`).join(','));
    expect(compose).toMatch(/DATABASE_READ_URL: [^@\n]+@postgres2:5432\/postrider\n/);
    for (const [kind, port] of [['POSTGRESQL', 5432] as const, ['RESTAPI', 8008] as const]) {
      expect(patroni).toContain(`listen: 0.0.0.0:${port}\n`);
      const addresses = new RegExp(`PATRONI_${kind}_CONNECT_ADDRESS: (\\w+):${port}\\n`, 'g');
      expect(hostsIn(compose, addresses)).toEqual(servers);
    }
    const [, asked = ''] = /PATRONI_ETCD3_HOSTS: (.+)/.exec(compose) ?? [];
    expect(hostsIn(asked, /'(\w+):2379'/g)).toEqual(keepers);
    expect(hostsIn(compose, /ETCD_ADVERTISE_CLIENT_URLS: http:\/\/(\w+):2379/g)).toEqual(keepers);
    const [, members = ''] = /ETCD_INITIAL_CLUSTER: (.+)/.exec(compose) ?? [];
    expect(hostsIn(members, /=http:\/\/(\w+):2380/g)).toEqual(keepers);
  });

  it('acknowledges nothing before the standby has it, and archives with the stanza and the data directory of pgBackRest', async () => {
    const [patroni, archive] = await Promise.all([read('patroni.yaml'), read('pgbackrest.conf')]);
    expect(patroni).toMatch(/^ {4}synchronous_mode: true$/m);
    expect(patroni).toMatch(/archive_command: pgbackrest --stanza=postrider archive-push %p/);
    expect(archive).toMatch(/^\[postrider\]$/m);
    const [, directory] = /data_dir: (\S+)/.exec(patroni) ?? [];
    expect(archive).toContain(`pg1-path=${directory}\n`);
    const [, version] = /^FROM postgres:(\d+)/m.exec(await read('postgres-ha.Dockerfile')) ?? [];
    expect(directory).toBe(`/var/lib/postgresql/${version}/main`);
    expect(patroni).toContain(`bin_dir: /usr/lib/postgresql/${version}/bin\n`);
  });

  it('its image copies only files that exist, and the role that they make is the one of DATABASE_URL', async () => {
    const image = await read('postgres-ha.Dockerfile');
    const copied = [...image.matchAll(/^COPY (\S+) (\S+)$/gm)];
    expect(copied.filter(([, source = '']) => !existsSync(source))).toEqual([]);
    const [, script] = /post_init: .*--file=(\S+)/.exec(await read('patroni.yaml')) ?? [];
    expect(copied.map(([, , target]) => target)).toContain(script);
    expect(await read('postrider.sql')).toMatch(
      /CREATE ROLE postrider LOGIN[^]*CREATE DATABASE postrider OWNER postrider/,
    );
  });
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

describe('the manifests for Kubernetes', () => {
  /** Names and values of a list of variables, or of the data of a ConfigMap. */
  const variablesIn = (text: string): Record<string, string> =>
    Object.fromEntries(
      [
        ...text.matchAll(/- name: ([A-Z_]+)\n {14}value: (.+)/g),
        ...(text.includes('kind: ConfigMap') ? text.matchAll(/^ {2}([A-Z_]+): (.+)/gm) : []),
      ].map(([, name = '', value = '']) => [name, value.replaceAll("'", '')]),
    );
  const manifests = async (): Promise<readonly string[]> => (await read('kubernetes/postrider.yaml')).split('---\n');
  const ofKind = async (kind: string): Promise<readonly string[]> =>
    (await manifests()).filter((manifest) => manifest.includes(`\nkind: ${kind}\n`));
  const listIn = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([, found = '']) => found);
  const secret = { DATABASE_URL: 'postgres://postrider@db/postrider', SECRET_KEY: Buffer.alloc(32).toString('base64') };

  it('set what the program understands, for each role once', async () => {
    const shared = variablesIn((await manifests())[0] as string);
    const roles = (await ofKind('Deployment')).map((deployment) => {
      const config = readConfig({ ...shared, ...variablesIn(deployment), ...secret });
      expect(Object.keys(variablesIn(deployment)).filter((name) => !ours.has(name))).toEqual([]);
      return config.values.roles;
    });
    expect(roles.flat().sort()).toEqual(['api', 'inbound', 'smtp', 'worker']);
    expect(Object.keys(shared).filter((name) => !ours.has(name))).toEqual([]);
  });

  it('give each pod more time to stop than it needs, and ask the thread that answers for it', async () => {
    const shared = variablesIn((await manifests())[0] as string);
    for (const deployment of await ofKind('Deployment')) {
      const [grace] = listIn(deployment, /terminationGracePeriodSeconds: (\d+)/g);
      expect(Number(grace)).toBeGreaterThan(Number(shared.DRAIN_SECONDS) + Number(shared.SHUTDOWN_SECONDS));
      expect(deployment).toContain(
        `- name: health\n              containerPort: ${shared.HEALTH_LISTEN?.split(':')[1]}\n`,
      );
      expect(listIn(deployment, /path: (\S+)\n {14}port: health/g)).toEqual(['/healthz', '/readyz', '/healthz']);
    }
  });

  it('lead to ports on which pods listen, and keep a pod of each role through disruptions', async () => {
    const deployments = new Map((await ofKind('Deployment')).map((text) => [/name: (\S+)/.exec(text)?.[1], text]));
    for (const service of await ofKind('Service')) {
      const deployment = deployments.get(/name: (\S+)/.exec(service)?.[1]) as string;
      const open = new Map(
        [...deployment.matchAll(/- name: (\w+)\n {14}containerPort: (\d+)/g)].map(([, a, b]) => [a, b]),
      );
      const listening = `${variablesIn(deployment).SMTP_LISTEN ?? ''},0.0.0.0:3000`;
      for (const name of listIn(service, /targetPort: (\w+)/g))
        expect(listening).toContain(`0.0.0.0:${open.get(name)}`);
    }
    const budgets = (await ofKind('PodDisruptionBudget')).map((text) => /name: (\S+)/.exec(text)?.[1]);
    expect(budgets).toEqual([...deployments.keys()]);
  });
});

describe.each(['postrider.service', 'postrider@.service'])('%s', (file) => {
  it('sets known variables, runs the program of the package and gives it time to stop', async () => {
    const unit = await read(`systemd/${file}`);
    const set = Object.fromEntries(
      [...unit.matchAll(/\b([A-Z][A-Z_]+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    );
    expect(Object.keys(set).filter((name) => !ours.has(name) && !others.has(name))).toEqual([]);
    expect(unit).toContain('npm install --global --prefix /opt/postrider ./postrider-');
    expect(unit).toMatch(/^ExecStart=\/opt\/postrider\/bin\/postrider$/m);
    const [, stop] = /TimeoutStopSec=(\d+)/.exec(unit) ?? [];
    expect(Number(stop)).toBeGreaterThan(Number(set.DRAIN_SECONDS ?? 0) + Number(set.SHUTDOWN_SECONDS));
  });
});
