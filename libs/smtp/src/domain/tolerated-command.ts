const greeting = /^(EHLO|HELO) +(\S+ [^\r\n]*)$/i;
const bareAddress = /^(MAIL FROM|RCPT TO) ?: ?([^\s<>]+)( [^\r\n]*)?$/i;

/**
 * A command as RFC 5321 has it. Printers, scanners and old libraries leave out the angle brackets of addresses, or greet with
 * a name that has blanks. The names become words with hyphens, because they are shown in header fields.
 */
export function toleratedCommand(line: string): string {
  const [, greets, name = ''] = greeting.exec(line) ?? [];
  if (greets !== undefined) return `${greets} ${name.trim().split(/ +/).join('-')}`;
  const [, command, address, parameters = ''] = bareAddress.exec(line) ?? [];
  return command === undefined ? line : `${command}:<${address}>${parameters}`;
}
