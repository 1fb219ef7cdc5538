/** What a site is given at first. `hosts` matches the name of its first MX host. */
export interface SiteProfile {
  readonly name: string;
  readonly connections: number;
  readonly messagesPerConnection: number;
}

/** Modest enough for a small server: Postfix takes 50 connections from one client, many appliances ten. */
export const defaultProfile: SiteProfile = { name: 'default', connections: 5, messagesPerConnection: 100 };

/**
 * Where large providers publish or are known to apply limits per sending address, a little below them. Limits adapt from
 * here to what the site says.
 */
const profiles: readonly (SiteProfile & { readonly hosts: RegExp })[] = [
  { name: 'google', hosts: /\.(?:google|googlemail)\.com$/, connections: 10, messagesPerConnection: 100 },
  {
    name: 'microsoft',
    hosts: /\.(?:outlook|hotmail)\.com$|\.olc\.protection\.outlook\.com$/,
    connections: 10,
    messagesPerConnection: 50,
  },
  { name: 'yahoo', hosts: /\.(?:yahoodns\.net|yahoo\.com)$/, connections: 5, messagesPerConnection: 20 },
  { name: 'icloud', hosts: /\.(?:icloud|apple)\.com$/, connections: 5, messagesPerConnection: 50 },
  {
    name: 'gmx and web.de',
    hosts: /\.(?:gmx\.net|web\.de|kundenserver\.de)$/,
    connections: 4,
    messagesPerConnection: 50,
  },
  { name: 't-online', hosts: /\.t-online\.de$/, connections: 4, messagesPerConnection: 50 },
  { name: 'orange', hosts: /\.orange\.fr$/, connections: 2, messagesPerConnection: 50 },
  { name: 'free', hosts: /\.free\.fr$/, connections: 2, messagesPerConnection: 50 },
  { name: 'comcast', hosts: /\.comcast\.net$/, connections: 3, messagesPerConnection: 50 },
];

export function profileOf(mailHost: string): SiteProfile {
  return profiles.find(({ hosts }) => hosts.test(mailHost)) ?? defaultProfile;
}
