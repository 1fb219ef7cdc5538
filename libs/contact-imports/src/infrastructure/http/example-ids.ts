/** Ids in the examples of the API's description. */

export const importId = '0193a1f6-0b7e-7d25-9c48-a1c5f7306b2d';
