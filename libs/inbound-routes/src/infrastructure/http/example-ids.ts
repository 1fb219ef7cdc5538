/** Ids in the examples of the API's description. */

export const routeId = '0193a1f6-2b7e-7d25-9c48-e1a5f7306b2d';
export const receivedId = '0193a1f4-52e6-7c1e-9f0b-5b7d2a9c6e31';
