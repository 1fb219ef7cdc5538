/** Providers that people know by another name than that of their mail hosts. */
const providers: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)(google|googlemail)\.com$/, 'Gmail'],
  [/(^|\.)outlook\.com$/, 'Outlook'],
  [/(^|\.)yahoodns\.net$/, 'Yahoo'],
  [/(^|\.)icloud\.com$/, 'iCloud'],
  [/(^|\.)protonmail\.ch$/, 'Proton Mail'],
  [/(^|\.)(gmx\.net|web\.de|kundenserver\.de)$/, 'GMX'],
  [/(^|\.)zoho(mail)?\.(com|eu)$/, 'Zoho'],
  [/(^|\.)fastmail\.com$/, 'Fastmail'],
  [/(^|\.)messagingengine\.com$/, 'Fastmail'],
];

/** The address in `Ada <ada@example.org>`. */
export function addressOf(mailbox: string): string {
  const at = mailbox.lastIndexOf('<');
  return at >= 0 && mailbox.endsWith('>') ? mailbox.slice(at + 1, -1) : mailbox;
}

/** The name in `Ada <ada@example.org>`, or the address where there is none. */
export function nameOf(mailbox: string): string {
  const at = mailbox.lastIndexOf('<');
  const name = at > 0 ? mailbox.slice(0, at).trim() : '';
  return name.replace(/^"|"$/g, '') || addressOf(mailbox);
}

export function domainOf(address: string): string {
  return addressOf(address).split('@').pop() ?? '';
}

/** Who receives the mail of this recipient, as a person would say it. */
export function receiverOf(recipient: string, host: string | null): string {
  const name = host?.toLowerCase().replace(/\.$/, '') ?? '';
  return providers.find(([pattern]) => pattern.test(name))?.[1] ?? domainOf(recipient);
}

/** How people call the mailbox providers that have many names. Others are called by the domain of their mail hosts. */
const namesOfProviders: Readonly<Record<string, string>> = {
  google: 'Gmail',
  microsoft: 'Outlook',
  yahoo: 'Yahoo',
  apple: 'iCloud',
};

export function nameOfProvider(provider: string): string {
  return namesOfProviders[provider] ?? provider;
}
