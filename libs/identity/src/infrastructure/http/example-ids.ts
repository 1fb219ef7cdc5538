/** Ids in the examples of the API's description. */

export const keyId = '0193a1f0-09c4-7b52-8a6e-c3f01d5e7a94';
export const domainId = '0193a1ee-7d10-7f3c-b2a4-90d6c81e4f57';
