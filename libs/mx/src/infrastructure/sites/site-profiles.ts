/** The initial limits of a site, which are also the maximum: the limits adapt below them. */
export interface SiteProfile {
  readonly name: string;
  readonly connections: number;
  readonly messagesPerConnection: number;
  readonly messagesPerMinute: number;
}

/** A profile for sites whose first MX host matches one of these names. */
export interface ProfileRule extends SiteProfile {
  /** `example.net` matches that host, `*.example.net` matches all hosts below it. */
  readonly hosts: readonly string[];
  /** The source of the figures. */
  readonly source: string;
}

/**
 * Modest enough for a small server: Postfix accepts 50 connections from one client, many appliances accept ten. 100
 * messages a second is the default that KumoMTA ships (assets/policy-extras/shaping.toml).
 */
export const defaultProfile: SiteProfile = {
  name: 'default',
  connections: 5,
  messagesPerConnection: 100,
  messagesPerMinute: 6_000,
};

const ourOwn = 'our own default';
const kumo = 'KumoMTA shaping.toml';

/**
 * Limits per sending address. Few providers publish figures, so `source` names the origin of each one. If no rate is
 * published, it is our own default, low enough for an address without a history. A file of the operator overrides it.
 */
export const shippedProfiles: readonly ProfileRule[] = [
  {
    // Google publishes no figures (support.google.com/a/answer/81126). Gmail and Workspace share the same hosts.
    name: 'google',
    hosts: ['*.google.com', '*.googlemail.com'],
    connections: 10,
    messagesPerConnection: 50,
    messagesPerMinute: 1_200,
    source: `messages per connection ${kumo}, which gives 5 connections; connections and rate ${ourOwn}`,
  },
  {
    name: 'microsoft-consumer',
    hosts: ['*.olc.protection.outlook.com', '*.hotmail.com'],
    connections: 5,
    messagesPerConnection: 50,
    messagesPerMinute: 600,
    source: `connections and messages per connection ${kumo} (sendersupport.olc.protection.outlook.com/pm/Policies has no figures); rate ${ourOwn}`,
  },
  {
    name: 'microsoft-365',
    hosts: ['*.mail.protection.outlook.com', '*.mx.microsoft'],
    connections: 5,
    messagesPerConnection: 50,
    messagesPerMinute: 1_200,
    source: `connections and messages per connection ${kumo}; rate ${ourOwn}`,
  },
  {
    name: 'yahoo',
    hosts: ['*.yahoodns.net', '*.yahoo.com'],
    connections: 5,
    messagesPerConnection: 20,
    messagesPerMinute: 600,
    source: `20 messages per connection published by Yahoo (senders.yahooinc.com/best-practices), AOL included; connections and rate ${ourOwn}`,
  },
  {
    name: 'icloud',
    hosts: ['*.icloud.com', '*.apple.com'],
    connections: 10,
    messagesPerConnection: 5,
    messagesPerMinute: 600,
    source: `connections and messages per connection ${kumo} (support.apple.com/102322 has no figures); rate ${ourOwn}`,
  },
  {
    name: 'gmx and web.de',
    hosts: ['*.gmx.net', '*.web.de', '*.kundenserver.de'],
    connections: 4,
    messagesPerConnection: 50,
    messagesPerMinute: 300,
    source: ourOwn,
  },
  {
    name: 'mail.com',
    hosts: ['*.mail.com'],
    connections: 4,
    messagesPerConnection: 100,
    messagesPerMinute: 300,
    source: `messages per connection ${kumo}, from mail.com itself; connections and rate ${ourOwn}`,
  },
  {
    name: 't-online',
    hosts: ['*.t-online.de'],
    connections: 4,
    messagesPerConnection: 50,
    messagesPerMinute: 300,
    source: ourOwn,
  },
  {
    name: 'comcast',
    hosts: ['*.comcast.net'],
    connections: 20,
    messagesPerConnection: 500,
    messagesPerMinute: 600,
    source: `below the 25 connections and 1,000 messages each that Comcast publishes (spa.xfinity.com/postmaster, by ${kumo}); rate ${ourOwn}`,
  },
  {
    name: 'orange',
    hosts: ['*.orange.fr', '*.wanadoo.fr'],
    connections: 2,
    messagesPerConnection: 50,
    messagesPerMinute: 120,
    source: `below the 3 connections of messagerie.orange.fr/postmaster.html (by ${kumo}); the rest ${ourOwn}`,
  },
  {
    name: 'free',
    hosts: ['*.free.fr', '*.proxad.net'],
    connections: 2,
    messagesPerConnection: 50,
    messagesPerMinute: 120,
    source: ourOwn,
  },
  {
    name: 'mail.ru',
    hosts: ['*.mail.ru'],
    connections: 5,
    messagesPerConnection: 50,
    messagesPerMinute: 300,
    source: ourOwn,
  },
  {
    name: 'yandex',
    hosts: ['*.yandex.ru', '*.yandex.net'],
    connections: 5,
    messagesPerConnection: 50,
    messagesPerMinute: 300,
    source: ourOwn,
  },
  {
    name: 'mimecast',
    hosts: ['*.mimecast.com', '*.mimecast.co.za', '*.mimecast-offshore.com'],
    connections: 10,
    messagesPerConnection: 100,
    messagesPerMinute: 1_200,
    source: `connections and messages per connection ${kumo}, from Mimecast itself; rate ${ourOwn}`,
  },
];

/** Finds the profile of a site. The operator's profiles take precedence over the shipped ones. */
export class SiteProfiles {
  constructor(private readonly overrides: readonly ProfileRule[] = []) {}

  profileOf(mailHost: string): SiteProfile {
    const name = mailHost.toLowerCase();
    return [...this.overrides, ...shippedProfiles].find(({ hosts }) => isAmong(name, hosts)) ?? defaultProfile;
  }
}

function isAmong(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => (pattern.startsWith('*.') ? name.endsWith(pattern.slice(1)) : name === pattern));
}
