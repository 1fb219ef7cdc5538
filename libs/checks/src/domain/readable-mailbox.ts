/** The first mailbox of a decoded address field, for people: invalid ones give what can be read. Linear time. */
export function readableMailbox(field: string): { name: string; address: string; host: string } {
  const open = field.indexOf('<');
  const close = open === -1 ? -1 : field.indexOf('>', open);
  const address = (close === -1 ? field : field.slice(open + 1, close)).trim();
  const name = close === -1 ? '' : field.slice(0, open).replaceAll('"', '').trim();
  return { name, address, host: address.slice(address.lastIndexOf('@') + 1).toLowerCase() };
}
