/**
 * Cost of operations in CPU time of the reference machine, in ms. Work that they cause in other parts of the program is
 * not included, since it has limits of its own. Measured with `perf stat` on the whole process, rounded up.
 */
const connectionMs = 0.3;
const handshakeMs = 2;
const commandMs = 0.05;
const loginMs = 1;
const megabyteMs = 8;

export const prices = {
  ofConnection: (implicitTls: boolean): number => connectionMs + (implicitTls ? handshakeMs : 0),
  ofCommand: (line: Buffer): number => {
    const verb = line.subarray(0, 8).toString('latin1').toUpperCase();
    if (verb.startsWith('STARTTLS')) return handshakeMs;
    return verb.startsWith('AUTH') ? loginMs : commandMs;
  },
  ofContent: (bytes: number): number => (bytes * megabyteMs) / 1_000_000,
} as const;
