/** Ids in the examples of the API's description. */

export const domainId = '0193a1ee-7c31-7a52-8b0e-5d1f3a7c9e20';
