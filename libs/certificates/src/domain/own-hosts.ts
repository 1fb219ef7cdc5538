interface NamedHosts {
  readonly publicUrl?: string;
  readonly hostName?: string;
  readonly heloName?: string;
}

/** The hosts of the service itself as they are configured. The first one is that of its SMTP ports. */
export function ownHosts({ publicUrl, hostName, heloName }: NamedHosts): string[] {
  const ofUrl = publicUrl === undefined ? undefined : /^https?:\/\/([^/:]+)/.exec(publicUrl)?.[1];
  const named = [heloName, hostName, ofUrl].flatMap((name) => (name === undefined ? [] : [name.toLowerCase()]));
  return [...new Set(named)];
}
