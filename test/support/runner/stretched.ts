/** Set by `jest.config.mjs`. */
const slowness = Number(process.env.TEST_SLOWNESS ?? 1);

/** A limit of time, in ms, that a test waits for or asserts: longer on a machine that was measured to be slower. */
export const stretched = (ms: number): number => ms * slowness;
