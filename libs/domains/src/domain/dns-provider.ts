/** DNS providers by the suffix of their name servers. The names are those that the providers use for themselves. */
const providers: readonly (readonly [suffix: RegExp, name: string])[] = [
  [/\.ns\.cloudflare\.com$/, 'Cloudflare'],
  [/\.awsdns-\d+\.(?:com|net|org|co\.uk)$/, 'Amazon Route 53'],
  [/\.digitalocean\.com$/, 'Digital Ocean'],
  [/\.domaincontrol\.com$/, 'GoDaddy'],
  [/\.googledomains\.com$/, 'Google Domains'],
  [/\.(?:registrar-servers|namecheaphosting)\.com$/, 'Namecheap'],
  [/\.vercel-dns(?:-\d+)?\.com$/, 'Vercel'],
  [/\.(?:hetzner\.(?:com|de)|your-server\.de|first-ns\.de|second-ns\.(?:com|de))$/, 'Hetzner'],
  [/\.(?:ovh\.(?:net|ca)|anycast\.me)$/, 'OVHcloud'],
  [/\.gandi\.net$/, 'Gandi'],
  [/\.azure-dns\.(?:com|net|org|info)$/, 'Azure DNS'],
  [/\.ui-dns\.(?:com|de|org|biz)$/, 'IONOS'],
  [/\.squarespacedns\.com$/, 'Squarespace'],
  [/\.porkbun\.com$/, 'Porkbun'],
  [/\.(?:dnsimple\.com|dnsimple-edge\.(?:net|org))$/, 'DNSimple'],
  [/\.nsone\.net$/, 'NS1'],
  [/\.linode\.com$/, 'Linode'],
  [/\.vultr\.com$/, 'Vultr'],
  [/\.wixdns\.net$/, 'Wix'],
  [/\.name\.com$/, 'Name.com'],
  [/\.dreamhost\.com$/, 'DreamHost'],
  [/\.hostinger\.com$|\.dns-parking\.com$/, 'Hostinger'],
  [/\.infomaniak\.(?:ch|com)$/, 'Infomaniak'],
  [/\.transip\.(?:net|nl|eu)$/, 'TransIP'],
  [/\.inwx\.(?:de|eu|net)$/, 'INWX'],
  [/\.bunny\.net$/, 'Bunny'],
  [/\.desec\.(?:io|org)$/, 'deSEC'],
  [/\.he\.net$/, 'Hurricane Electric'],
];

/** The provider that runs a zone, by its name servers; undefined if it is not in the list. */
export function dnsProviderOf(nameServers: readonly string[]): string | undefined {
  for (const server of nameServers) {
    const known = providers.find(([suffix]) => suffix.test(`.${server}`));
    if (known !== undefined) return known[1];
  }
  return undefined;
}
