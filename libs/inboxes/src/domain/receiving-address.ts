const form = /^inbox-[0-9a-f]{32}@/i;
const randomBytes = 16;

/** An address at a host of the service that nobody can guess: who knows it writes into the inbox. */
export function newReceivingAddress(host: string): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(randomBytes));
  return `inbox-${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}@${host}`;
}

/** Whether an address has the form of a receiving address, at any host. */
export function mayReceive(address: string): boolean {
  return form.test(address);
}
