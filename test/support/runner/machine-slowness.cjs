/**
 * How many times longer this machine takes than the one on which the limits of time in tests were chosen: at least 1. All
 * limits of waiting are stretched by it (`stretched.ts`). Takes a fifth of a second.
 */
const { createHash } = require('node:crypto');

/** What one round takes on that machine, in ms. */
const usualMs = 10;
const rounds = 15;
/** A machine that is slower than this is broken. */
const most = 6;

const people = Array.from({ length: 4_000 }, (_, index) => ({
  id: index,
  email: `person${index}@customer.test`,
  names: ['Ada', 'Grace', `Person ${index}`],
}));

function roundMs() {
  const begun = performance.now();
  const text = JSON.stringify(people);
  const read = JSON.parse(text).sort((a, b) => (a.email < b.email ? -1 : 1));
  createHash('sha256').update(text).update(JSON.stringify(read)).digest();
  return performance.now() - begun;
}

function machineSlowness() {
  roundMs();
  const times = Array.from({ length: rounds }, roundMs).sort((a, b) => a - b);
  return Math.min(most, Math.max(1, times[(rounds - 1) / 2] / usualMs));
}

module.exports = { machineSlowness };
