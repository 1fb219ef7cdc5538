/** Ids in the examples of the API's description. */

export const suppressionId = '0193a1f6-0b7e-7d25-9c48-e1a5f7306b2d';
export const otherId = '0193a1f6-0b7e-7d25-9c48-f2b6083174ae';
